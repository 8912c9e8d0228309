#if CommandLine
  internal import Reachability
  internal import Strategies
  internal import Synchronization

  /// The hosts that are in reach while the Internet at large is not: hosts of the local network.
  ///
  /// One watcher of the routes serves all of them. A host costs its addresses, and one question to the kernel at its
  /// first use after each look at the routes. It has a thread only while its name is looked up, and at most
  /// ``lookupsAtOnce`` hosts have one.
  final class LocalHosts: Sendable {
    private struct Host {
      var addresses: [IPAddress] = []
      /// The last result, and the time until which it holds.
      var answer: (reachability: Reachability, end: ContinuousClock.Instant)?
      /// True after a lookup that found no address: the Internet at large decides then.
      var isNameless = false
      var isLookedUp = false
      var lookups = 0
      var nextLookup = ContinuousClock.now

      /// Notes the end of a lookup. Earlier addresses outlive a failed one.
      mutating func note(_ answer: HostLookup.Answer) {
        switch answer {
        case .success(let found):
          if found != addresses { (addresses, self.answer) = (found, nil) }
          isNameless = false
        case .failure(.noAnswer), .failure(.noThread): break
        case .failure(.notFound), .failure(.emptyName): isNameless = addresses.isEmpty
        }
      }
    }

    private struct State {
      var hosts: [String: Host] = [:]
      var lookups = 0
      var looks: UInt64 = 0
    }

    /// More hosts than a store has origins on one local network. Beyond it, all hosts are looked up again.
    private static let capacity = 1024
    private static let lookupsAtOnce = 16
    /// How long an answer holds while no change is reported.
    private static let lifetime = Duration.seconds(1)
    /// The pause is short: a host that starts after this program soon has its name.
    private static let longestPause = Duration.seconds(5)

    private let state = Mutex(State())
    private let lookup: HostLookup
    private let monitor: RouteMonitor

    init(lookup: HostLookup = .system, monitor: RouteMonitor = .shared) {
      self.lookup = lookup
      self.monitor = monitor
    }

    /// Forgets all hosts, because the next network may have others.
    func forget() { state.withLock { if !$0.hosts.isEmpty { $0.hosts = [:] } } }

    /// How the reachability of a host is decided while the Internet at large is out of reach.
    ///
    /// The addresses of the host decide. A host without known addresses counts as online, as with a ``RouteMonitor``.
    /// After a lookup without an address, the Internet at large decides.
    func handling(of host: String) -> JudgementContext.ReachabilityHandling {
      let now = ContinuousClock.now
      let looks = monitor.timesAsked
      let (handling, begins) = state.withLock {
        state -> (JudgementContext.ReachabilityHandling, Bool) in
        if state.looks != looks { Self.restart(&state, looks) }
        if state.hosts[host] == nil, state.hosts.count >= Self.capacity { state.hosts = [:] }
        var found = state.hosts[host] ?? Self.new(host)
        defer { state.hosts[host] = found }
        let reachability = Self.answer(&found, now)
        let handling: JudgementContext.ReachabilityHandling =
          found.isNameless ? .ask : .assume(reachability)
        guard Self.isLookupDue(found, reachability, now), state.lookups < Self.lookupsAtOnce else {
          return (handling, false)
        }
        state.lookups += 1
        found.isLookedUp = true
        return (handling, true)
      }
      if begins { lookup.begin(host) { [weak self] in self?.note($0, of: host) } }
      return handling
    }

    /// Looks up the names of hosts. Returns when that is done or the time is over.
    func lookUp(_ hosts: Set<String>, within limit: Duration) async {
      let end = ContinuousClock.now + limit
      let names = hosts.filter { SourceReachability.addressesWithoutLookup(of: $0).isEmpty }
      await withTaskGroup(of: Void.self) { group in
        for (position, host) in names.enumerated() {
          if position >= Self.lookupsAtOnce { await group.next() }
          guard .now < end else { break }
          group.addTask { [self] in await lookUp(host, until: end) }
        }
      }
    }

    private func lookUp(_ host: String, until end: ContinuousClock.Instant) async {
      let answer: HostLookup.Answer
      do throws(HostLookupError) {
        answer = .success(try await lookup.addresses(of: host, within: end - .now))
      } catch {
        answer = .failure(error)
      }
      state.withLock { $0.hosts[host, default: Host()].note(answer) }
    }

    private static func new(_ host: String) -> Host {
      Host(addresses: SourceReachability.addressesWithoutLookup(of: host))
    }

    /// Drops the answers after a change of the network. Name services may be in reach now.
    private static func restart(_ state: inout State, _ looks: UInt64) {
      state.looks = looks
      for host in state.hosts.keys {
        state.hosts[host]?.answer = nil
        state.hosts[host]?.lookups = 0
        state.hosts[host]?.nextLookup = .now
      }
    }

    private static func answer(_ host: inout Host, _ now: ContinuousClock.Instant) -> Reachability {
      guard !host.addresses.isEmpty else { return .unknown("its name is not resolved yet") }
      if let answer = host.answer, now < answer.end { return answer.reachability }
      let reachability = RouteMonitor.look(at: host.addresses)
      // Without a descriptor there was no answer, but the next question may have one.
      if case .unknown = reachability { return reachability }
      host.answer = (reachability, now + lifetime)
      return reachability
    }

    private static func isLookupDue(
      _ host: Host, _ reachability: Reachability, _ now: ContinuousClock.Instant
    ) -> Bool {
      guard !host.isLookedUp, now >= host.nextLookup else { return false }
      return reachability.isProvablyOffline || host.addresses.isEmpty
    }

    private func note(_ answer: HostLookup.Answer, of host: String) {
      state.withLock { state in
        state.lookups -= 1
        guard var found = state.hosts[host] else { return }
        found.isLookedUp = false
        found.note(answer)
        let pause = min(Duration.seconds(1) * (1 << min(found.lookups, 6)), Self.longestPause)
        found.lookups += 1
        found.nextLookup = .now + pause
        state.hosts[host] = found
      }
    }
  }

  /// The hosts that need no lookup while the Internet at large may be in reach. An address is asked about itself,
  /// because only its own route may be missing.
  ///
  /// A host in reach is asked about again after the kernel has announced a change, and after a second in any case. A
  /// host out of reach is asked about each time. A server that asks one address looks several times for each request.
  final class KnownRoutes: Sendable {
    private struct State {
      var looks: UInt64 = 0
      /// The hosts in reach, each with the time until which that is assumed.
      var inReach: [String: ContinuousClock.Instant] = [:]
    }

    private static let capacity = 1024
    /// How long an answer holds while no change is reported.
    private static let lifetime = Duration.seconds(1)

    private let state = Mutex(State())
    private let monitor: RouteMonitor

    init(monitor: RouteMonitor = .shared) { self.monitor = monitor }

    func handling(of host: String) -> JudgementContext.ReachabilityHandling {
      // This is read before the kernel is asked, so that a change in between causes another question.
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
