#if Fleet
  internal import Dispatch
  internal import FreshStore
  internal import Platform
  internal import Strategies
  internal import Synchronization

  /// Passes calls to a few connections. Each has a thread of its own, as libpq blocks while it looks up names.
  ///
  /// A timer ends the wait of a caller at its limit, whatever its connection does. Calls that wait while all
  /// connections of their lane are busy share the next round trip of the first free one.
  final class ConnectionPool: Sendable {
    let address: PostgresAddress
    let configuration: FleetConfiguration
    private let timers = DispatchQueue(label: "freshstore.fleet.limits", qos: .userInitiated)
    private let announced = Multicast<Void, Void>()
    private let state: Mutex<State>
    let watchSignal: WakeSignal

    private struct State {
      var breaker: TierBreaker
      /// The lanes, by their number.
      var lanes: [LaneState]
      var isWatched = false
      var hasMoved = false
      /// The time until which the database is assumed to grant no further connection.
      var crowdedUntil: Waiting.Deadline?
      /// True while the watch has a connection, and while it has to end it.
      var hasLine = false
      var wantsLine = false
      /// The earliest time of the next look at the database's clock.
      var nextClock = Waiting.Deadline.now
      var isClosed = false

      subscript(lane: Lane) -> LaneState {
        get { lanes[lane.rawValue] }
        _modify { yield &lanes[lane.rawValue] }
      }

      var isCrowded: Bool { crowdedUntil.map { .now < $0 } ?? false }

      /// The lane whose sessions can take calls of a lane: that lane itself if one of its sessions has a
      /// connection, else the other one.
      func connected(for lane: Lane) -> Lane? {
        let other: Lane = lane == .marks ? .questions : .marks
        return self[lane].connected > 0 ? lane : self[other].connected > 0 ? other : nil
      }

      mutating func add(_ call: Call) -> (next: LaneState.Next, lane: Lane) {
        let lane = isCrowded ? connected(for: call.lane) ?? call.lane : call.lane
        guard lane == call.lane else {
          call.noteWaiting(after: self[call.lane].answers)
          return (self[lane].takeOver([call]).map { .wake($0) } ?? .wait, lane)
        }
        return (self[lane].add(call, isCrowded: isCrowded), lane)
      }
    }

    init(_ address: PostgresAddress, _ configuration: FleetConfiguration) throws(SharedTierError) {
      try configuration.validate()
      (self.address, self.configuration) = (address, configuration)
      state = Mutex(
        State(
          breaker: TierBreaker(threshold: configuration.failuresToOpen),
          lanes: [LaneState(sessions: configuration.connections), LaneState(sessions: 1)]))
      watchSignal = try WakeSignal()
    }

    /// The time after which the server itself ends a call.
    var statementLimit: Duration { max(configuration.limit, configuration.markLimit) }

    var reach: SharedTierReach { state.withLock { $0.breaker.reach } }

    var outages: Int { state.withLock { $0.breaker.outages } }

    /// True when calls are refused.
    var hasFailed: Bool { state.withLock { $0.breaker.refusal != nil } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: Callers

    /// Runs the steps in one round trip.
    func run(
      _ steps: [Step], in lane: Lane = .questions, within limit: Duration,
      isUncertain: Bool = false, whenLate: (@Sendable ([[Row]]) -> Void)? = nil
    ) async throws(SharedTierError) -> [[Row]] {
      let call = Call(
        steps, lane: lane, deadline: .now + limit, isUncertain: isUncertain, whenLate: whenLate)
      try submit(call, within: limit)
      return try await call.outcome().get()
    }

    /// Sends a call that fails at its limit.
    private func submit(_ call: Call, within limit: Duration) throws(SharedTierError) {
      try submit(call)
      timers.asyncAfter(deadline: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) {
        [weak self, weak call] in
        guard let call, !call.isFinished else { return }
        let error = SharedTierError(.slow, "the fleet did not answer within \(limit.brief)")
        call.finish(.failure(error)) { self?.noteLate(call, error) }
      }
    }

    /// Sends a call without waiting for its answer.
    ///
    /// - Parameter whenRefused: Called when the user lacks a right for it.
    func start(
      _ steps: [Step], in lane: Lane = .questions, whenRefused: (@Sendable () -> Void)? = nil
    ) {
      let call = Call(
        steps, lane: lane, deadline: .now + statementLimit, whenRefused: whenRefused)
      // A call that cannot be sent is not needed: its work is done later by another one.
      try? submit(call)
    }

    private func submit(_ call: Call) throws(SharedTierError) {
      let (refusal, next) = state.withLock { state -> (SharedTierError?, LaneState.Next) in
        if state.isClosed { return (SharedTierError(.closed, "the fleet was closed"), .wait) }
        if let refusal = state.breaker.refusal { return (refusal, .wait) }
        return (nil, state.add(call).next)
      }
      if let refusal { throw refusal }
      switch next {
      case .wake(let signal): signal.wake()
      case .startSession: startSession(call.lane)
      case .wait: break
      }
    }

    /// Counts a call without an answer in time, if it says something about the tier.
    private func noteLate(_ call: Call, _ error: SharedTierError) {
      let isTelling = state.withLock { state in
        // The call may wait in the other lane, which has a connection.
        for lane in state.lanes.indices { state.lanes[lane].remove(call) }
        // Other calls use the few connections that there are.
        guard call.isTaken || !state.isCrowded else { return false }
        return state[call.lane].isTelling(call)
      }
      if isTelling { note(error, of: call.lane) }
    }

    /// Sends a probe after a mark without an answer in time: the mark may only have waited for its turn. The
    /// probe counts as any other call.
    private func probeAfterLateMark() {
      let limit = configuration.limit
      // The reason of a refusal has been noted before.
      try? submit(Call([Step(Self.question)], deadline: .now + limit), within: limit)
    }

    private static let question = Statement("question", "SELECT 1")

    private func startSession(_ lane: Lane) {
      do {
        let session = try Session(pool: self, lane: lane)
        try DetachedThread.start { session.run() }
      } catch {
        let failure = SharedTierError(.other, "no thread could be started: \(error)")
        noteEnd(of: lane)
        fail(failure)
      }
    }

    // MARK: Sessions

    /// The next calls for a session. Without any the session is woken for the next one. `nil` ends it.
    func work(for session: Session) -> [Call]? {
      state.withLock { $0.isClosed ? nil : $0[session.lane].take(for: session) }
    }

    /// True when the session may end; false when it has been given work.
    func leave(_ session: Session) -> Bool {
      state.withLock { $0[session.lane].leave(session) }
    }

    func noteEnd(of lane: Lane) { state.withLock { $0[lane].noteEnd() } }

    /// Puts calls back, ahead of the others.
    func putBack(_ calls: [Call], in lane: Lane) { state.withLock { $0[lane].putBack(calls) } }

    // MARK: A database that grants few connections

    /// The fate of the calls of a session that got no connection.
    enum PassOnResult {
      /// Another session has them, and this session has ended.
      case taken
      /// The session tries again in a moment: the watch ends its connection.
      case again
      /// No session has a connection.
      case nowhere
    }

    /// The time for which no further connections are requested, and for which the watch has none.
    static let crowdedTime = Duration.seconds(30)

    /// Passes on the calls of a session that got no connection because the database grants no more. The
    /// connection of the watch is the first one to end, on any host: it does not help a host without any
    /// other connection. Without it news are polled every second.
    func passOn(_ calls: [Call], of lane: Lane) -> PassOnResult {
      let (passing, signal, hasLine) = state.withLock {
        state -> (PassOnResult, WakeSignal?, Bool) in
        state.crowdedUntil = .now + Self.crowdedTime
        let hasLine = state.hasLine
        state.wantsLine = hasLine
        if let other = state.connected(for: lane) {
          // Both happen in one step, so that a call that comes now goes to the other lane.
          state[lane].noteEnd()
          let rest = other == lane ? [] : state[lane].takeAll()
          return (.taken, state[other].takeOver(calls + rest), hasLine)
        }
        return (hasLine ? .again : .nowhere, nil, hasLine)
      }
      signal?.wake()
      if hasLine { watchSignal.wake() }
      return passing
    }

    var isCrowded: Bool { state.withLock { $0.isCrowded } }

    func noteConnection(in lane: Lane, isOpen: Bool) {
      state.withLock { $0[lane].noteConnection(isOpen: isOpen) }
    }

    /// Notes whether the watch has a connection.
    func noteLine(isOpen: Bool) { state.withLock { $0.hasLine = isOpen } }

    /// True once when the watch has to end its connection.
    func takeWantedLine() -> Bool {
      state.withLock { state in
        defer { state.wantsLine = false }
        return state.wantsLine
      }
    }

    /// The number of answers that came in time, over all connections.
    var answers: Int { state.withLock { $0.lanes.reduce(0) { $0 + $1.answers } } }

    // MARK: What is known of the way

    func noteAnswer(in lane: Lane) {
      state.withLock { state in
        state[lane].noteAnswer()
        state.breaker.noteAnswer()
      }
    }

    /// Notes that a connection leads to a server that has become read-only.
    func noteMove() {
      state.withLock { $0.hasMoved = true }
      watchSignal.wake()
    }

    /// True once after ``noteMove()``.
    func takeMove() -> Bool {
      state.withLock { state in
        defer { state.hasMoved = false }
        return state.hasMoved
      }
    }

    /// True once a second, so that a failing look at the database's clock is not repeated with each answer.
    func mayNoteClock() -> Bool {
      let now = Waiting.Deadline.now
      return state.withLock { state in
        guard now >= state.nextClock else { return false }
        state.nextClock = now + .seconds(1)
        return true
      }
    }

    /// Leaves the database's clock to the other hosts for a while.
    func leaveClock() {
      state.withLock { $0.nextClock = Waiting.Deadline.now + .seconds(600) }
    }

    /// Notes a failure of a call in a lane; with `opens`, one of a connection, which opens the breaker at once.
    func note(_ error: SharedTierError, of lane: Lane = .questions, opens: Bool = false) {
      switch error.code {
      case .cancelled, .closed, .invalidArgument: return
      // The tier has returned these errors. A probe would get an answer, too, and would never end.
      case .noRights where !opens, .full where !opens, .other where !opens:
        return state.withLock { $0.breaker.noteAnswer() }
      case .slow where lane == .marks: return probeAfterLateMark()
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
      let waiting = state.withLock { $0[.questions].takeAll() + $0[.marks].takeAll() }
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
      do throws(ErrorNumber) {
        try DetachedThread.start {
          var watch = Watch(pool: self)
          watch.run()
        }
      } catch {
        // The next call tries again.
        state.withLock { $0.isWatched = false }
      }
    }

    // MARK: The end

    /// Ends all connections; calls fail from now on.
    func close() {
      let signals = state.withLock { state in
        state.isClosed = true
        return state.lanes.flatMap(\.signals)
      }
      fail(SharedTierError(.closed, "the fleet was closed"))
      for signal in signals { signal.wake() }
      watchSignal.wake()
      announced.finish()
    }
  }
#endif
