#if Fleet
  internal import FreshStore

  /// The kinds of calls, each with connections of its own.
  ///
  /// If the database grants no connection for one kind, its calls use those of the other, marks first.
  enum Lane: Int, Sendable {
    case questions
    /// A mark waits for its turn behind those of other hosts, and for the disk. Nothing else waits behind it.
    case marks
  }

  /// The calls of one lane that wait, and the sessions that take them: pure state, without a clock.
  struct LaneState {
    /// The next step for a call that was added.
    enum Next {
      case wake(WakeSignal)
      case startSession
      /// All sessions are busy.
      case wait
    }

    /// The most calls of one round trip.
    static let batch = 32

    private var waiting: [Call] = []
    private var idle: [ObjectIdentifier: WakeSignal] = [:]
    private var sessions = 0
    private let mostSessions: Int
    /// The number of sessions that have a connection.
    private(set) var connected = 0
    /// The number of answers that came in time.
    private(set) var answers = 0

    init(sessions: Int) {
      mostSessions = max(1, sessions)
    }

    /// The signals of the sessions without work.
    var signals: [WakeSignal] { Array(idle.values) }

    // MARK: Calls

    /// - Parameter isCrowded: True when the database grants no more connections.
    mutating func add(_ call: Call, isCrowded: Bool = false) -> Next {
      call.noteWaiting(after: answers)
      waiting.append(call)
      if let signal = takeIdle() { return .wake(signal) }
      guard sessions < mostSessions, !isCrowded || connected == 0 else { return .wait }
      sessions += 1
      return .startSession
    }

    /// Puts calls back, ahead of the others.
    mutating func putBack(_ calls: [Call]) { waiting.insert(contentsOf: calls, at: 0) }

    /// Takes the calls of a session without a connection, ahead of the others. Returns the signal of a
    /// session to wake.
    mutating func takeOver(_ calls: [Call]) -> WakeSignal? {
      putBack(calls)
      return takeIdle()
    }

    /// The signal of a session without work, which then counts as busy.
    private mutating func takeIdle() -> WakeSignal? {
      guard let (id, signal) = idle.first else { return nil }
      idle[id] = nil
      return signal
    }

    /// Removes a call whose caller has left.
    mutating func remove(_ call: Call) { waiting.removeAll { $0 === call } }

    /// Removes and returns all calls that wait.
    mutating func takeAll() -> [Call] {
      defer { waiting = [] }
      return waiting
    }

    /// True when a call without an answer in time says something about the tier. It says nothing if other calls
    /// went ahead of it in its round trip, or were answered meanwhile: they may be the reason. It does if it has
    /// waited for a session all the time while no session had an answer: they may all be waiting for connections.
    func isTelling(_ call: Call) -> Bool { call.isUnanswered(at: answers) }

    mutating func noteAnswer() { answers += 1 }

    // MARK: Sessions

    /// The next calls for a session. Without any the session is idle, and woken for the next one.
    mutating func take(for session: Session) -> [Call] {
      guard !waiting.isEmpty else {
        idle[ObjectIdentifier(session)] = session.signal
        return []
      }
      let calls = Array(waiting.prefix(Self.batch))
      waiting.removeFirst(calls.count)
      for call in calls { call.noteTaken() }
      calls.first { !$0.isFinished }?.noteFirst()
      return calls
    }

    /// True when an idle session may end; false when it has been given work.
    mutating func leave(_ session: Session) -> Bool {
      guard idle.removeValue(forKey: ObjectIdentifier(session)) != nil else { return false }
      noteEnd()
      return true
    }

    mutating func noteEnd() { sessions -= 1 }

    mutating func noteConnection(isOpen: Bool) { connected += isOpen ? 1 : -1 }
  }
#endif
