internal import Synchronization

/// How a client keeps up with an exchange that holds a connection to an origin for it, as it sends content bit by bit or
/// takes none of its answer.
///
/// A client is slow once it was waited for, beyond the time that what it sends or takes may need, for as long as
/// ``SlowClients/patience``: one that is fast never is, however much it sends, and however often it is waited for. An
/// exchange whose client was slow once counts to its end.
final class ClientPace: Sendable {
  private struct Wait {
    let place: SlowClients.Place
    let start: ContinuousClock.Instant
    let cutOff: @Sendable () -> Void
  }

  private struct State {
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
  /// - Parameter cutOff: Called where it turns out later that it must not, by any thread.
  func begin(for client: String, orCutOff cutOff: @escaping @Sendable () -> Void) -> Bool {
    let place = SlowClients.Place(client: client, origin: origin)
    return state.withLock { state in
      guard state.place == nil, !state.isOver else { return true }
      guard state.patience > .zero else {
        guard clients.take(place) else { return false }
        state.place = place
        return true
      }
      guard !clients.isFull(place) else { return false }
      state.wait = Wait(place: place, start: clients.now(), cutOff: cutOff)
      clients.add(self)
      return true
    }
  }

  /// The client has sent or taken something.
  ///
  /// - Parameter count: The bytes in all.
  func end(at count: Int64) {
    state.withLock { state in
      let bytes = max(0, count - state.counted)
      state.counted += bytes
      guard let wait = state.wait else { return }
      state.wait = nil
      clients.remove(self)
      let allowance = Duration.seconds(Double(bytes) / Double(clients.pace))
      let waited = wait.start.duration(to: clients.now())
      state.patience = min(clients.patience, state.patience + allowance - waited)
    }
  }

  /// The connection to the origin is free again.
  func finish() {
    state.withLock { state in
      if let place = state.place { clients.giveBack(place) }
      if state.wait != nil { clients.remove(self) }
      (state.place, state.wait, state.isOver) = (nil, nil, true)
    }
  }

  /// Counts the client where it was waited for for too long, or cuts it off.
  func look(at now: ContinuousClock.Instant) {
    let cutOff = state.withLock { state -> (@Sendable () -> Void)? in
      guard let wait = state.wait, wait.start.duration(to: now) >= state.patience else {
        return nil
      }
      state.wait = nil
      clients.remove(self)
      guard clients.take(wait.place) else { return wait.cutOff }
      state.place = wait.place
      return nil
    }
    cutOff?()
  }
}
