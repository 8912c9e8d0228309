#if os(Linux)
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif
  internal import Synchronization

  /// The thread that keeps a ``RouteState`` true.
  ///
  /// It waits for the kernel to announce any change of links, addresses, routes, rules or next
  /// hops. The announcements are not interpreted, because none of them tells the whole (a cable
  /// that is out is told by its link alone, a deleted address takes the default route along
  /// without a word): each only means that the routes have to be asked for again.
  final class RouteWatch: Sendable {
    /// The routes are asked for again after this time even if nothing was announced.
    private static let safetyInterval: Duration = .seconds(30)

    // Links; addresses, routes and rules of both families.
    private static let neededGroups: [UInt32] = [1, 5, 7, 8, 9, 11, 19]
    // Next-hop objects and the settings of interfaces, which old kernels do not announce.
    private static let usefulGroups: [UInt32] = [24, 25, 32]

    private let state: RouteState
    private let sockets: Sockets?
    private let line: WakeLine
    private let asked = Atomic<UInt64>(0)

    /// How often the routes were asked for.
    var timesAsked: UInt64 { asked.load(ordering: .acquiring) }

    /// Listens, asks once and starts the thread. In this order no change is missed.
    init(_ state: RouteState) throws(ErrorNumber) {
      self.state = state
      line = try WakeLine()
      do throws(ErrorNumber) {
        sockets = try Sockets()
      } catch {
        // Denied: the ladder answers, and its answers say so.
        sockets = nil
      }
      var turn = Turn(announcer: announcer)
      ask(&turn)
      try DetachedThread.start { [self, turn] in run(turn) }
    }

    /// Ends the thread, and with it the streams of the observers.
    func end() { line.send(.end) }

    /// Has the routes asked for, or the time to wait for reckoned again.
    func wake() { line.send(.ask) }

    private var announcer: Int32 {
      switch sockets {
      case .some(let sockets): sockets.announcements.descriptor
      case nil: -1
      }
    }
  }

  extension RouteWatch {
    /// One socket for what the kernel announces, one for questions: a flood of the first must not
    /// stand in the way of an answer.
    private struct Sockets: ~Copyable {
      let announcements: NetlinkSocket
      let questions: NetlinkSocket

      init() throws(ErrorNumber) {
        let announcements = try NetlinkSocket()
        try announcements.bind()
        for group in RouteWatch.neededGroups { try announcements.join(group) }
        for group in RouteWatch.usefulGroups {
          // A group this kernel does not know announces nothing anyway.
          do throws(ErrorNumber) { try announcements.join(group) } catch {}
        }
        self.questions = try NetlinkSocket()
        self.announcements = announcements
      }
    }
  }

  extension RouteWatch {
    /// What the thread remembers from one turn to the next.
    private struct Turn {
      /// The descriptor to wait for; negative when nothing is announced.
      var announcer: Int32
      var number: UInt32 = 0
      var isDirty = false
      var lastAsk: ContinuousClock.Instant = .now
      var budget = AskBudget(now: .now)
      var answers: [RouteAnswer] = []
    }

    private func run(_ first: Turn) {
      var turn = first
      while true {
        let ready = wait(for: turn)
        while let message = line.receive() {
          guard message != .end else { return state.observers.finish() }
          turn.isDirty = true
        }
        let now = ContinuousClock.now
        turn.isDirty = turn.isDirty || ready || now >= turn.lastAsk + interval(turn)
        if turn.isDirty, turn.budget.take(at: now) { ask(&turn) }
        if !state.observers.isEmpty { state.observers.tell(state.reachability, at: .now) }
      }
    }

    private func ask(_ turn: inout Turn) {
      turn.isDirty = false
      turn.lastAsk = .now
      let answers = answers(&turn)
      state.publish(RouteWord.Verdict(answers), isNewNetwork: answers != turn.answers)
      turn.answers = answers
      asked.wrappingAdd(1, ordering: .releasing)
    }

    private func answers(_ turn: inout Turn) -> [RouteAnswer] {
      guard turn.announcer >= 0 else { return [] }
      switch sockets {
      case nil: return []
      case .some(let sockets):
        do throws(ErrorNumber) {
          // What changes after the announcements are taken is announced again.
          try sockets.announcements.drain()
        } catch {
          // Not to be told of changes any more is to know nothing; the ladder goes on.
          turn.announcer = -1
          return []
        }
        return RouteLookup.ask(state.targets, over: sockets.questions, number: &turn.number)
      }
    }

    private func interval(_ turn: Turn) -> Duration {
      let isUnanswered = state.present.verdict == .unanswered
      return isUnanswered && !state.observers.isEmpty
        ? ReachabilityLadder.lifetime : Self.safetyInterval
    }

    /// Waits for a message, an announcement, or the next thing to do; true for an announcement.
    private func wait(for turn: Turn) -> Bool {
      // Announcements that cannot be followed yet would only wake the thread again and again.
      let announced = turn.isDirty ? -1 : turn.announcer
      var waited = [
        pollfd(fd: line.receiver, events: Int16(POLLIN), revents: 0),
        pollfd(fd: announced, events: Int16(POLLIN), revents: 0),
      ]
      var end = turn.isDirty ? turn.budget.nextAllowed : turn.lastAsk + interval(turn)
      if let due = state.observers.due { end = min(end, due) }
      _ = unsafe poll(&waited, 2, (end - .now).pollTimeout)
      return waited[1].revents != 0
    }
  }
#endif
