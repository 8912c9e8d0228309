internal import Synchronization

/// The exchanges that hold a connection to an origin for a client that is slow: only so many of one client at one origin,
/// so that others find a connection.
final class SlowClients: Sendable {
  /// Whose exchanges are counted together.
  struct Place: Sendable, Hashable {
    let client: String
    let origin: String
  }

  private struct State {
    /// Those that are slow.
    var counts: [Place: Int] = [:]
    /// Those that wait for their client just now, and may turn out to be slow.
    var waiting: [ObjectIdentifier: ClientPace] = [:]
  }

  /// How long an exchange may wait for its client until that is slow.
  let patience: Duration
  /// The bytes in a second with which it never is.
  let pace: Int
  let now: @Sendable () -> ContinuousClock.Instant
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: The most exchanges of one client at one origin.
  ///   - now: The time; a test has its own.
  init(
    atMost limit: Int, patience: Duration = .seconds(1), pace: Int = 64 << 10,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (self.limit, self.patience, self.pace, self.now) = (limit, patience, pace, now)
  }

  /// All that are slow.
  var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

  /// The exchanges that wait for their client just now.
  var awaited: Int { state.withLock { $0.waiting.count } }

  /// True where no further exchange of the client may wait for it.
  func isFull(_ place: Place) -> Bool {
    state.withLock { $0.counts[place, default: 0] >= limit }
  }

  /// False where there are too many already.
  func take(_ place: Place) -> Bool {
    state.withLock { state in
      guard state.counts[place, default: 0] < limit else { return false }
      state.counts[place, default: 0] += 1
      return true
    }
  }

  func giveBack(_ place: Place) {
    state.withLock { state in
      let others = state.counts[place, default: 1] - 1
      state.counts[place] = others > 0 ? others : nil
    }
  }

  func add(_ pace: ClientPace) {
    state.withLock { $0.waiting[ObjectIdentifier(pace)] = pace }
  }

  func remove(_ pace: ClientPace) {
    state.withLock { state in
      state.waiting[ObjectIdentifier(pace)] = nil
    }
  }

  /// Finds out who has become slow; to be called now and then.
  func look() {
    let waiting = state.withLock { Array($0.waiting.values) }
    guard !waiting.isEmpty else { return }
    let moment = now()
    for pace in waiting { pace.look(at: moment) }
  }
}

/// How a client keeps up with an exchange that holds a connection to an origin for it, as it sends content bit by bit or
/// takes none of its answer.
///
/// A client is slow once it was waited for, beyond the time that what it sends or takes may need, for as long as
/// ``SlowClients/patience``: one that is fast never is, however much it sends, and however often or long it is waited for.
/// An exchange whose client was slow once counts to its end, or until that client leaves it to others.
final class ClientPace: Sendable {
  private struct Wait {
    let place: SlowClients.Place
    /// From where on the time of it is still to be settled.
    var start: ContinuousClock.Instant
    /// The bytes that the client has sent or taken in all.
    let count: @Sendable () -> Int64
    let cutOff: @Sendable () -> Void
  }

  private struct State {
    /// Who was waited for last.
    var client: String?
    /// How long it may still be waited for.
    var patience: Duration
    /// The bytes for which there was time.
    var counted: Int64 = 0
    var wait: Wait?
    /// Where it counts as slow.
    var place: SlowClients.Place?
    var isOver = false
  }

  private let clients: SlowClients
  private let origin: String
  private let state: Mutex<State>

  init(_ clients: SlowClients, at origin: String) {
    (self.clients, self.origin) = (clients, origin)
    state = Mutex(State(patience: clients.patience))
  }

  deinit {
    if let place = state.withLock({ $0.place }) { clients.giveBack(place) }
  }

  /// The exchange waits for its client from now on. False where it must not, as too many of that client's do.
  ///
  /// - Parameters:
  ///   - count: The bytes in all that the client has sent or taken; asked by any thread.
  ///   - cutOff: Called where it turns out later that it must not, by any thread.
  func begin(
    for client: String, having count: @escaping @Sendable () -> Int64,
    orCutOff cutOff: @escaping @Sendable () -> Void
  ) -> Bool {
    let place = SlowClients.Place(client: client, origin: origin)
    return state.withLock { state in
      guard !state.isOver else { return true }
      if state.client != client {
        forgetClient(&state)
        (state.client, state.counted) = (client, count())
      }
      guard state.place == nil else { return true }
      settle(&state, at: clients.now(), count())
      guard state.patience > .zero else {
        guard clients.take(place) else { return false }
        state.place = place
        return true
      }
      guard !clients.isFull(place) else { return false }
      state.wait = Wait(place: place, start: clients.now(), count: count, cutOff: cutOff)
      clients.add(self)
      return true
    }
  }

  /// The client has sent or taken something.
  ///
  /// - Parameter count: The bytes in all.
  func end(at count: Int64) {
    state.withLock { state in
      settle(&state, at: clients.now(), count)
      guard state.wait != nil else { return }
      state.wait = nil
      clients.remove(self)
    }
  }

  /// The client has left what others go on with: the exchange does not wait for it any longer.
  func leave(_ client: String) {
    state.withLock { state in
      if state.client == client { forgetClient(&state) }
    }
  }

  private func forgetClient(_ state: inout State) {
    if let place = state.place { clients.giveBack(place) }
    if state.wait != nil { clients.remove(self) }
    (state.client, state.place, state.wait) = (nil, nil, nil)
    state.patience = clients.patience
  }

  /// Takes the time that was waited from what is left of the patience, and gives what the bytes may need that came in it.
  private func settle(
    _ state: inout State, at moment: ContinuousClock.Instant, _ count: Int64
  ) {
    // It is less where the reader that had come furthest has left.
    let bytes = max(0, count - state.counted)
    state.counted = count
    let allowance = Duration.seconds(Double(bytes) / Double(clients.pace))
    let waited = state.wait.map { $0.start.duration(to: moment) } ?? .zero
    state.wait?.start = moment
    state.patience = min(clients.patience, state.patience + allowance - waited)
  }

  /// The connection to the origin is free again.
  func finish() {
    state.withLock { state in
      forgetClient(&state)
      state.isOver = true
    }
  }

  /// Counts the client where it was waited for for too long, or cuts it off.
  func look(at now: ContinuousClock.Instant) {
    let cutOff = state.withLock { state -> (@Sendable () -> Void)? in
      guard let wait = state.wait else { return nil }
      settle(&state, at: now, wait.count())
      guard state.patience <= .zero else { return nil }
      state.wait = nil
      clients.remove(self)
      guard clients.take(wait.place) else { return wait.cutOff }
      state.place = wait.place
      return nil
    }
    cutOff?()
  }
}
