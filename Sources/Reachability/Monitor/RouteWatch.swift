#if os(Linux)
  internal import Platform
  internal import Strategies
  internal import Synchronization

  /// The thread that keeps a ``RouteState`` current.
  ///
  /// It waits for the kernel to announce any change of links, addresses, routes, rules or next hops. An
  /// announcement is not interpreted, because none is complete. An unplugged cable is announced by its link only,
  /// and a deleted address silently removes the default route. Each announcement only means that the routes have to
  /// be queried again.
  final class RouteWatch: Sendable {
    /// The routes are queried again after this time even without an announcement.
    private static let safetyInterval: Duration = .seconds(30)

    // Links; addresses, routes and rules of both families.
    private static let neededGroups: [UInt32] = [1, 5, 7, 8, 9, 11, 19]
    // Next-hop objects and the settings of interfaces, which old kernels do not announce.
    private static let usefulGroups: [UInt32] = [24, 25, 32]

    private let state: RouteState
    private let resolution: HostResolution?
    private let sockets: Sockets?
    private let asking: Mutex<QuestionState>
    private let line: WakeLine
    private let asked = Atomic<UInt64>(0)

    /// The number of route queries.
    var timesAsked: UInt64 { asked.load(ordering: .acquiring) }

    /// Listens, asks once and starts the thread. In this order no change is missed.
    ///
    /// `resolution` is renewed when the network changes or `schedule` says so, but not at the start.
    init(
      _ state: RouteState, _ resolution: HostResolution?,
      _ schedule: LookupSchedule = LookupSchedule()
    ) throws(ErrorNumber) {
      self.state = state
      self.resolution = resolution
      line = try WakeLine()
      do throws(ErrorNumber) {
        sockets = try Sockets()
      } catch {
        // Netlink is denied. The fallback answers, and its answers say so.
        sockets = nil
      }
      asking = Mutex(QuestionState())
      var turn = Turn(schedule: schedule, resolver: resolution?.files.stamp)
      ask(&turn)
      try DetachedThread.start { [self, turn] in run(turn) }
    }

    /// Ends the thread, and with it the streams of the observers.
    func end() { line.send(.end) }

    /// Has the routes queried, or the waiting time computed again.
    func wake() { line.send(.ask) }

    /// Monitors other addresses, on the calling thread. The network is the same where their routes equal the
    /// earlier ones. It is also the same without earlier addresses, because a first finding is no change.
    func retarget(_ targets: [IPAddress]) {
      asking.withLock { asking in
        // A change that the thread has not processed yet still counts as one of the network.
        let old = answers(&asking)
        let hasChanged = old != asking.answers
        asking.hasChanged = asking.hasChanged || hasChanged
        let isFirst = state.targets.isEmpty
        state.retarget(targets)
        let new = answers(&asking)
        let isSame = isFirst || (new.allSatisfy(old.contains) && old.allSatisfy(new.contains))
        publish(new, &asking, isNewNetwork: hasChanged || !isSame)
      }
      // The thread notifies the observers.
      wake()
    }
  }

  extension RouteWatch {
    /// One socket for announcements and one for questions, because a flood of announcements must not block an answer.
    private struct Sockets: ~Copyable {
      let announcements: NetlinkSocket
      let questions: NetlinkSocket

      init() throws(ErrorNumber) {
        let announcements = try NetlinkSocket()
        try announcements.bind()
        for group in RouteWatch.neededGroups { try announcements.join(group) }
        for group in RouteWatch.usefulGroups {
          // A group that this kernel does not know announces nothing anyway.
          do throws(ErrorNumber) { try announcements.join(group) } catch {}
        }
        self.questions = try NetlinkSocket()
        self.announcements = announcements
      }
    }
  }

  extension RouteWatch {
    /// The thread's state from one turn to the next.
    private struct Turn {
      var isDirty = false
      var isAnnounced = false
      var lastAsk: ContinuousClock.Instant = .now
      var budget = AskBudget(now: .now)
      var recheck = RouteRecheck()
      var schedule: LookupSchedule
      /// The files of the resolver at the last lookup of the name; `nil` without a name.
      var resolver: ResolverFiles.Stamp?
    }

    /// The results of the last questions of any thread, for the next question.
    private struct QuestionState {
      var number: UInt32 = 0
      var answers: [RouteAnswer] = []
      /// True when another thread was the first to see a change of the network.
      var hasChanged = false
      /// True when changes are no longer announced, so that answers would go stale.
      var isDeaf = false
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
        if ready { turn.recheck.restart(at: now) }
        turn.isAnnounced = turn.isAnnounced || ready
        turn.isDirty =
          turn.recheck.take(at: now) || turn.isDirty || ready
          || now >= turn.lastAsk + interval(turn)
        if turn.isDirty, turn.budget.take(at: now) { askAndResolve(&turn) }
        lookUpIfDue(&turn, at: now)
        if !state.observers.isEmpty {
          let generation = state.present.generation
          state.observers.tell(state.reachability, generation: generation, at: .now)
        }
      }
    }

    private func askAndResolve(_ turn: inout Turn) {
      let isAnnounced = turn.isAnnounced
      let isNewNetwork = ask(&turn)
      guard let resolution else { return }
      let resolver = resolution.files.stamp
      let isNewResolver = resolver != turn.resolver
      turn.resolver = resolver
      // A name service that becomes reachable late becomes so soon after the change.
      if isNewNetwork || isNewResolver { turn.schedule.restart() }
      guard isNewNetwork || isNewResolver || isAnnounced && !resolution.isResolved else { return }
      resolution.renew { [weak self] in self?.retarget($0) }
    }

    /// Looks the name up again without an announcement.
    private func lookUpIfDue(_ turn: inout Turn, at now: ContinuousClock.Instant) {
      guard let resolution else { return }
      let isSettled = resolution.isResolved && !state.reachability.isProvablyOffline
      guard turn.schedule.take(isSettled: isSettled, at: now) else { return }
      resolution.repeatLookup { [weak self] in self?.retarget($0) }
    }

    /// Asks about the present addresses; true when the network differs from the last time.
    @discardableResult
    private func ask(_ turn: inout Turn) -> Bool {
      turn.isDirty = false
      turn.isAnnounced = false
      turn.lastAsk = .now
      return asking.withLock { asking in
        drain(&asking)
        let answers = answers(&asking)
        let isNewNetwork = answers != asking.answers
        publish(answers, &asking, isNewNetwork: isNewNetwork)
        defer { asking.hasChanged = false }
        return isNewNetwork || asking.hasChanged
      }
    }

    /// Takes the announcements; later changes are announced again.
    private func drain(_ asking: inout QuestionState) {
      switch sockets {
      case nil: return
      case .some(let sockets):
        do throws(ErrorNumber) {
          try sockets.announcements.drain()
        } catch {
          // Without announcements nothing is known; the fallback takes over.
          asking.isDeaf = true
        }
      }
    }

    private func answers(_ asking: inout QuestionState) -> [RouteAnswer] {
      switch sockets {
      case .some(let sockets) where !asking.isDeaf:
        RouteLookup.ask(state.targets, over: sockets.questions, number: &asking.number)
      default: []
      }
    }

    private func publish(
      _ answers: [RouteAnswer], _ asking: inout QuestionState, isNewNetwork: Bool
    ) {
      state.publish(RouteWord.Verdict(answers), isNewNetwork: isNewNetwork)
      asking.answers = answers
      asked.wrappingAdd(1, ordering: .releasing)
    }

    /// The descriptor to wait for; negative without announcements.
    private var announcer: Int32 {
      switch sockets {
      case .some(let sockets) where !asking.withLock({ $0.isDeaf }):
        sockets.announcements.descriptor
      default: -1
      }
    }

    private func interval(_ turn: Turn) -> Duration {
      let isUnanswered = state.present.verdict == .unanswered
      return isUnanswered && !state.observers.isEmpty
        ? ReachabilityFallback.lifetime : Self.safetyInterval
    }

    /// Waits for a message, an announcement, or the next moment at which something is due; true for an announcement.
    private func wait(for turn: Turn) -> Bool {
      // Announcements that cannot be processed yet would only wake the thread again and again.
      let announced = turn.isDirty ? -1 : announcer
      var waited = [
        pollfd(fd: line.receiver, events: Int16(POLLIN), revents: 0),
        pollfd(fd: announced, events: Int16(POLLIN), revents: 0),
      ]
      var end = turn.isDirty ? turn.budget.nextAllowed : turn.lastAsk + interval(turn)
      for due in [state.observers.due, turn.recheck.due, turn.schedule.due] {
        end = min(end, due ?? end)
      }
      _ = unsafe poll(&waited, 2, (end - .now).pollTimeout)
      return waited[1].revents != 0
    }
  }

  /// A line that wakes a thread that waits for sockets.
  struct WakeLine: ~Copyable {
    /// The reason to wake the thread.
    enum Message: UInt8 {
      case end
      case ask
    }

    private let sender: Int32
    /// The descriptor that the thread waits for.
    let receiver: Int32

    init() throws(ErrorNumber) {
      let kind = SocketKind.datagram | SocketKind.closeOnExec
      var ends: [Int32] = [-1, -1]
      guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
      sender = ends[0]
      receiver = ends[1]
    }

    deinit {
      close(sender)
      close(receiver)
    }

    /// Wakes the thread. A full line wakes it as well, so a refusal is no error. Only ``Message/end`` waits for room.
    func send(_ message: Message) {
      var byte = message.rawValue
      let flags = Int32(MSG_NOSIGNAL) | (message == .end ? 0 : Int32(MSG_DONTWAIT))
      _ = unsafe Platform.send(sender, &byte, 1, flags)
    }

    /// Takes the next message, without waiting.
    func receive() -> Message? {
      var byte: UInt8 = 0
      guard unsafe recv(receiver, &byte, 1, Int32(MSG_DONTWAIT)) == 1 else { return nil }
      return Message(rawValue: byte)
    }
  }
#endif
