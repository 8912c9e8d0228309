#if CommandLine
  internal import Reachability
  internal import Strategies
  internal import Synchronization

  /// The hosts that need no lookup while the Internet at large may be in reach: an address is asked about itself, as there
  /// may be no route to it alone.
  ///
  /// One that is in reach is asked about again once the kernel has announced a change, and after a second in any case; one
  /// that is not, each time. A server that asks one address looks several times for each request.
  final class KnownRoutes: Sendable {
    private struct State {
      var looks: UInt64 = 0
      /// The hosts in reach, and until when that is believed.
      var inReach: [String: ContinuousClock.Instant] = [:]
    }

    private static let capacity = 1024
    /// How long an answer holds where no change is reported.
    private static let lifetime = Duration.seconds(1)

    private let state = Mutex(State())
    private let monitor: RouteMonitor

    init(monitor: RouteMonitor = .shared) { self.monitor = monitor }

    /// The handling of the reachability of a host.
    func handling(of host: String) -> JudgementContext.ReachabilityHandling {
      // Looked at before the kernel is asked: a change that comes meanwhile has it asked again.
      let (now, looks) = (ContinuousClock.now, monitor.timesAsked)
      if looks > 0, isInReach(host, now, looks) { return .ask }
      let addresses = SourceReachability.addressesWithoutLookup(of: host)
      guard !addresses.isEmpty else { return .ask }
      let own = RouteMonitor.look(at: addresses)
      if own.isProvablyOffline { return .assume(own) }
      if looks > 0 { note(host, now, looks) }
      return .ask
    }

    private func isInReach(
      _ host: String, _ now: ContinuousClock.Instant, _ looks: UInt64
    ) -> Bool {
      state.withLock { state in
        guard state.looks == looks, let end = state.inReach[host] else { return false }
        return now < end
      }
    }

    private func note(_ host: String, _ now: ContinuousClock.Instant, _ looks: UInt64) {
      state.withLock { state in
        if state.looks != looks || state.inReach.count >= Self.capacity { state.inReach = [:] }
        state.looks = looks
        state.inReach[host] = now + Self.lifetime
      }
    }
  }
#endif
