#if Fleet
  internal import Dispatch
  internal import FreshStore
  internal import Platform
  internal import Synchronization

  /// Hands calls to a few connections, each on a thread of its own, as libpq blocks while it looks up names.
  ///
  /// A caller is let go at its limit by a timer, whatever its connection does. Calls that wait while all
  /// connections are busy go together in the next round trip of the first free one.
  final class ConnectionPool: Sendable {
    let address: PostgresAddress
    let configuration: FleetConfiguration
    private let timers = DispatchQueue(label: "freshstore.fleet.limits", qos: .userInitiated)
    private let announced = Multicast<Void, Void>()
    private let state: Mutex<State>
    let watchSignal: WakeSignal

    private struct State {
      var breaker: TierBreaker
      var waiting: [Call] = []
      var idle: [ObjectIdentifier: WakeSignal] = [:]
      var sessions = 0
      var isWatched = false
      var canNotify = false
      var isClosed = false
    }

    init(_ address: PostgresAddress, _ configuration: FleetConfiguration) throws(SharedTierError) {
      (self.address, self.configuration) = (address, configuration)
      state = Mutex(State(breaker: TierBreaker(threshold: configuration.failuresToOpen)))
      watchSignal = try WakeSignal()
    }

    /// How long the server may work at a call before it ends it by itself.
    var statementLimit: Duration { max(configuration.limit, configuration.markLimit) }

    var reach: SharedTierReach { state.withLock { $0.breaker.reach } }

    /// True once a connection has found that the engine has notifications.
    var canNotify: Bool { state.withLock { $0.canNotify } }

    func note(_ look: FleetSchema.Look) { state.withLock { $0.canNotify = look.canNotify } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: Callers

    /// Runs the steps as one transaction, in one round trip.
    func run(
      _ steps: [Step], within limit: Duration, isUncertain: Bool = false,
      whenLate: (@Sendable ([[Row]]) -> Void)? = nil
    ) async throws(SharedTierError) -> [[Row]] {
      let call = Call(
        steps, deadline: .now + limit, isUncertain: isUncertain, whenLate: whenLate)
      try submit(call)
      timers.asyncAfter(deadline: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) {
        [weak self, weak call] in
        guard let call, !call.isFinished else { return }
        let error = SharedTierError(.slow, "the fleet did not answer within \(limit)")
        call.finish(.failure(error)) { self?.note(error) }
      }
      return try await call.outcome().get()
    }

    /// Sends a call that nobody waits for.
    func start(_ steps: [Step]) {
      let call = Call(
        steps, deadline: .now + statementLimit, isUncertain: false, whenLate: nil)
      // What it asks for happens without it, later.
      try? submit(call)
    }

    private func submit(_ call: Call) throws(SharedTierError) {
      let (refusal, wake, isMissing) = state.withLock {
        state -> (SharedTierError?, WakeSignal?, Bool) in
        if state.isClosed { return (SharedTierError(.closed, "the fleet was closed"), nil, false) }
        if let refusal = state.breaker.refusal { return (refusal, nil, false) }
        state.waiting.append(call)
        if let (id, wake) = state.idle.first {
          state.idle[id] = nil
          return (nil, wake, false)
        }
        guard state.sessions < configuration.connections else { return (nil, nil, false) }
        state.sessions += 1
        return (nil, nil, true)
      }
      if let refusal { throw refusal }
      wake?.wake()
      if isMissing { startSession() }
    }

    private func startSession() {
      do {
        let session = try Session(pool: self)
        try DetachedThread.start { session.run() }
      } catch {
        let failure = SharedTierError(.other, "no thread could be started: \(error)")
        state.withLock { $0.sessions -= 1 }
        fail(failure)
      }
    }

    // MARK: Sessions

    /// The work of a session.
    enum Work {
      case calls([Call])
      /// There is none: the session is woken when there is.
      case none
      case end
    }

    /// The most calls of one round trip.
    private static let batch = 32

    func work(for session: Session) -> Work {
      state.withLock { state in
        if state.isClosed { return .end }
        guard !state.waiting.isEmpty else {
          state.idle[ObjectIdentifier(session)] = session.signal
          return .none
        }
        let count = min(state.waiting.count, Self.batch)
        let calls = Array(state.waiting.prefix(count))
        state.waiting.removeFirst(count)
        return .calls(calls)
      }
    }

    /// True when the session may end; false when it has been given work.
    func leave(_ session: Session) -> Bool {
      state.withLock { state in
        guard state.idle.removeValue(forKey: ObjectIdentifier(session)) != nil else { return false }
        state.sessions -= 1
        return true
      }
    }

    func noteEnd() { state.withLock { $0.sessions -= 1 } }

    /// Puts calls back, ahead of the others.
    func putBack(_ calls: [Call]) {
      state.withLock { $0.waiting.insert(contentsOf: calls, at: 0) }
    }

    // MARK: What is known of the way

    func noteAnswer() { state.withLock { $0.breaker.noteAnswer() } }

    /// Notes a failure of a call, or of a connection, which opens the breaker at once.
    func note(_ error: SharedTierError, opens: Bool = false) {
      switch error.code {
      case .cancelled, .closed, .invalidArgument: return
      case .other where !opens: return
      default: break
      }
      let hasOpened = state.withLock { $0.breaker.noteFailure(error, opens: opens) }
      if hasOpened {
        fail(error)
        startWatch()
        watchSignal.wake()
      }
    }

    func noteReached() {
      state.withLock { $0.breaker.noteReached() }
    }

    /// Fails the calls that wait.
    private func fail(_ error: SharedTierError) {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for call in waiting { call.finish(.failure(error)) }
    }

    // MARK: Announcements

    func announcements() -> AsyncStream<Void> {
      startWatch()
      return announced.stream(for: (), buffering: .bufferingNewest(1), first: { _ in () })
    }

    func announce() { announced.send { _ in () } }

    private func startWatch() {
      let isMissing = state.withLock { state in
        defer { state.isWatched = true }
        return !state.isWatched && !state.isClosed
      }
      guard isMissing else { return }
      let watch = Watch(pool: self)
      do throws(ErrorNumber) {
        try DetachedThread.start { watch.run() }
      } catch {
        // The next call tries again.
        state.withLock { $0.isWatched = false }
      }
    }

    // MARK: The end

    /// Ends all connections; calls fail from now on.
    func close() {
      let signals = state.withLock { state in
        defer { state.idle = [:] }
        state.isClosed = true
        return Array(state.idle.values)
      }
      fail(SharedTierError(.closed, "the fleet was closed"))
      for signal in signals { signal.wake() }
      watchSignal.wake()
      announced.finish()
    }
  }

  extension ConnectionPool {
    var isInReach: Bool { reach == .reached }

    /// True when calls are refused.
    var hasFailed: Bool {
      if case .outOfReach = reach { return true }
      return false
    }
  }
#endif
