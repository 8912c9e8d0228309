internal import Synchronization

/// The exchanges that hold a connection to an origin for a slow client. Their number for one client at one origin is
/// limited, so that other clients find a connection.
final class SlowClients: Sendable {
  /// The client and origin whose exchanges are counted together.
  struct Place: Sendable, Hashable {
    let client: String
    let origin: String
  }

  private struct State {
    /// The slow exchanges.
    var counts: [Place: Int] = [:]
    /// The exchanges that wait for their client now, and may become slow.
    var waiting: [ObjectIdentifier: ClientPace] = [:]
  }

  /// How long an exchange may wait for its client until the client counts as slow.
  let patience: Duration
  /// The bytes per second at which a client is never slow.
  let pace: Int
  let now: @Sendable () -> ContinuousClock.Instant
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: The most slow exchanges of one client at one origin.
  ///   - now: The clock; a test has its own.
  init(
    atMost limit: Int, patience: Duration = .seconds(1), pace: Int = 64 << 10,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (self.limit, self.patience, self.pace, self.now) = (limit, patience, pace, now)
  }

  /// The number of slow exchanges.
  var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

  /// The number of exchanges that wait for their client now.
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

  /// Finds the clients that have become slow; called at intervals.
  func look() {
    let waiting = state.withLock { Array($0.waiting.values) }
    guard !waiting.isEmpty else { return }
    let moment = now()
    for pace in waiting { pace.look(at: moment) }
  }
}

/// How a client keeps up with an exchange that holds a connection to an origin for it. The client may be slow to send
/// its content, or to take its answer.
///
/// A client becomes slow after ``SlowClients/patience`` of waiting, apart from the time that its bytes may need. A fast
/// client never becomes slow, however much it sends, and however often it is waited for. An exchange whose client was
/// slow once counts until its end, or until the client leaves it to others.
final class ClientPace: Sendable {
  private struct Wait {
    let place: SlowClients.Place
    /// The start of the waiting time that is not settled yet.
    var start: ContinuousClock.Instant
    /// The bytes that the client has sent or taken in all.
    let count: @Sendable () -> Int64
    let cutOff: @Sendable () -> Void
  }

  private struct State {
    /// The client of the last wait.
    var client: String?
    /// The remaining patience.
    var patience: Duration
    /// The bytes that are settled.
    var counted: Int64 = 0
    var wait: Wait?
    /// The place at which it counts as slow.
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

  /// Begins a wait of the exchange for its client. False where it must not wait, as too many exchanges of that client
  /// do.
  ///
  /// - Parameters:
  ///   - count: The bytes in all that the client has sent or taken; called on any thread.
  ///   - cutOff: Called on any thread if the exchange must not wait any longer.
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

  /// Ends the wait, as the client has sent or taken bytes.
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

  /// Notes that the client has left an exchange that others continue: it is not waited for any longer.
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

  /// Subtracts the waiting time from the remaining patience, and adds the time that the new bytes may need.
  private func settle(
    _ state: inout State, at moment: ContinuousClock.Instant, _ count: Int64
  ) {
    // The count is lower where the fastest reader has left.
    let bytes = max(0, count - state.counted)
    state.counted = count
    let allowance = Duration.seconds(Double(bytes) / Double(clients.pace))
    let waited = state.wait.map { $0.start.duration(to: moment) } ?? .zero
    state.wait?.start = moment
    state.patience = min(clients.patience, state.patience + allowance - waited)
  }

  /// Notes that the connection to the origin is free again.
  func finish() {
    state.withLock { state in
      forgetClient(&state)
      state.isOver = true
    }
  }

  /// Counts the client as slow after too long a wait, or cuts it off.
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
