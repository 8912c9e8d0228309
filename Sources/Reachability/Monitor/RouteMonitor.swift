internal import Platform
public import Strategies
internal import Synchronization

/// Knows at every moment whether any packet for the source could leave this host, at the cost of an
/// atomic load.
///
/// At its start it asks the kernel's routing for each address (rtnetlink(7), `RTM_GETROUTE` with
/// the entry that matches), so that there is no first guess. From then on one thread listens to the
/// kernel's announcements of links, addresses, routes, rules and next hops, and asks again; under
/// continuous changes, once in 10 ms. Policy rules, metrics, blackholes, tunnels and an unplugged
/// cable all count. No packet is sent and no privilege is needed.
///
/// It cannot see a silent firewall, a dead upstream, or traffic that goes through a proxy or is
/// bound to another interface. Ask about the addresses of the source, or of the proxy before it; a
/// source with several is offline only when none has a route.
///
/// The name of a host is looked up at the start, whenever the network changes, and when the files
/// of the system's resolver do (checked every 30 seconds, and after every announcement), on the
/// lookup's own thread. Until the first lookup has ended the state is `Reachability.unknown(_:)`,
/// which counts as online. A name may lack an address because nothing is in reach, so the Internet
/// at large is asked about instead; known addresses outlive a failed lookup. A monitor that
/// believes the source out of reach keeps trying: as long as a name has no address, or no route to
/// its addresses, it is looked up again after a second, then less often, at least once a minute.
///
/// Where netlink is denied or missing, a UDP `connect` answers and keeps its answer for a second;
/// where that is denied too, the files of ``RouteTableReachability`` answer; after that the answer
/// is `Reachability.unknown(_:)`. ``method`` names the one that answered, and so does the cause of
/// an `Reachability.offline(_:)`. A forked process has no thread to trust, so each question goes
/// to the kernel, about the addresses the monitor began with.
///
/// The monitor belongs to the network namespace of the thread that makes it; without netlink, each
/// question to that of the asking thread. Its own thread ends with it.
public final class RouteMonitor: ObservableReachability {
  /// A monitor for the Internet at large, one for the process.
  public static let shared = RouteMonitor()

  private let state: RouteState
  private let birth = ForkCount.begin()
  #if os(Linux)
    let watch: RouteWatch?
  #endif

  /// Starts a monitor for a source with these addresses; costs some ten microseconds and a thread.
  public convenience init(targets: [IPAddress] = IPAddress.wellKnown) {
    self.init(RouteState(targets: targets), nil)
  }

  /// Starts a monitor for a source with one address.
  public convenience init(target: IPAddress) {
    self.init(targets: [target])
  }

  /// Starts a monitor for a source with this host, a name or a numeric address; does not wait for
  /// the name to be looked up.
  public convenience init(host: String) {
    self.init(host: host, addresses: nil, lookup: HostLookup.system.begin)
  }

  /// A monitor of a host whose name has just been looked up, with the addresses found; without any
  /// it asks about the Internet at large until a change brings some.
  package convenience init(host: String, addresses: [IPAddress]) {
    self.init(host: host, addresses: addresses, lookup: HostLookup.system.begin)
  }

  /// A monitor with the caller's lookup; `addresses` is `nil` when the lookup must run first.
  convenience init(
    host: String, addresses: [IPAddress]? = nil, files: ResolverFiles = .system,
    schedule: LookupSchedule = LookupSchedule(), lookup: @escaping HostResolution.Lookup
  ) {
    if let address = IPAddress(host) {
      self.init(target: address)
      return
    }
    let isResolved = addresses?.isEmpty == false
    let targets = isResolved ? addresses : addresses.map { _ in IPAddress.wellKnown }
    self.init(
      RouteState(targets: targets ?? [], unresolved: host),
      HostResolution(host: host, isResolved: isResolved, files: files, lookup: lookup), schedule)
  }

  private init(
    _ state: RouteState, _ resolution: HostResolution?,
    _ schedule: LookupSchedule = LookupSchedule()
  ) {
    self.state = state
    #if os(Linux)
      do throws(ErrorNumber) {
        watch = try RouteWatch(state, resolution, schedule)
      } catch {
        // Without a thread nothing keeps the word current; it must hold no verdict.
        state.publish(.unanswered, isNewNetwork: false)
        watch = nil
      }
      guard state.targets.isEmpty else { return }
      // Weak, so that a lookup that never ends does not keep the thread.
      resolution?.renew { [weak watch] in watch?.retarget($0) ?? state.retarget($0) }
    #else
      if state.targets.isEmpty { resolution?.renew(state.retarget) }
    #endif
  }

  deinit {
    #if os(Linux)
      // A forked child shares the line with its parent, whose thread it must not end.
      if isWatched { watch?.end() }
    #endif
  }

  /// The monitored addresses; none while a host's name has not been looked up yet.
  public var targets: [IPAddress] { isWatched ? state.targets : state.firstLadder.targets }

  /// Monitors other addresses from now on. When this returns, the state is that of the new ones.
  ///
  /// A new generation begins only where their routes differ from the earlier ones. The addresses of
  /// a host hold until its name is looked up again. Safe on any thread; costs about a microsecond
  /// for each address. In a forked process it does nothing.
  public func retarget(_ targets: [IPAddress]) {
    guard isWatched else { return }
    #if os(Linux)
      watch?.retarget(targets) ?? state.retarget(targets)
    #else
      state.retarget(targets)
    #endif
  }

  /// The present state: two loads and no system call, some nanoseconds, where netlink answers.
  @inline(__always)
  public func reachability() -> Reachability {
    guard isWatched, let reachability = state.present.verdict.reachability else {
      return reachabilityByOtherWays()
    }
    return reachability
  }

  // Separate, so that a read that needs none of it does not pay for saving registers.
  @inline(never)
  private func reachabilityByOtherWays() -> Reachability {
    isWatched ? state.fallback.answer().reachability : ask().reachability
  }

  /// The method that gives the present state.
  public var method: ReachabilityMethod {
    guard isWatched else { return ask().method }
    return state.present.verdict == .unanswered ? state.fallback.answer().method : .netlink
  }

  /// The number of observed changes of the routes to the source, including those that leave the
  /// state as it is. A new number is a new network, and a reason to try again.
  public var generation: UInt64 { state.present.generation }

  /// The present state and then each change: offline at once, a better state once it has held for
  /// `settle`, because addresses, names and neighbours follow a route a little later. When one
  /// network replaces another, the state is repeated even if it is the same.
  ///
  /// A slow reader gets the newest state only. Where netlink is denied the state is polled once a
  /// second while there is a reader. The sequence keeps the monitor alive.
  public func changes(settle: Duration = .milliseconds(250)) -> ReachabilityChanges {
    ReachabilityChanges(monitor: self, settle: settle)
  }

  func stream(settle: Duration) -> AsyncStream<Reachability> {
    #if os(Linux)
      let isTold = isWatched && watch != nil
    #else
      let isTold = false
    #endif
    let stream = state.observers.stream(settle: settle, isLive: isTold) {
      let generation = generation
      return (reachability(), generation)
    }
    #if os(Linux)
      // A thread that had no observer may have to check for changes more often now.
      if isTold { watch?.wake() }
    #endif
    return stream
  }

  private var isWatched: Bool { ForkCount.now == birth }

  private func ask() -> ReachabilityFallback.Answer { state.firstLadder.look() }
}

extension RouteMonitor {
  /// True when the changes have a reader.
  var hasObservers: Bool { !state.observers.isEmpty }

  /// The state that a monitor of these addresses would give now. Opens a socket for one question,
  /// and leaves neither that nor a thread behind: for callers that ask about many sources.
  package static func look(at targets: [IPAddress]) -> Reachability {
    ReachabilityFallback(targets: targets).look().reachability
  }

  /// The number of route queries by the thread, and one before it: as long as it stays the same the
  /// kernel has announced nothing. Always 0 without announcements.
  package var timesAsked: UInt64 {
    #if os(Linux)
      watch?.timesAsked ?? 0
    #else
      0
    #endif
  }
}

extension ReachabilityFallback {
  /// Asks now, over netlink where possible.
  fileprivate func look() -> Answer {
    #if os(Linux)
      do throws(ErrorNumber) {
        if let reachability = RouteWord.Verdict(try RouteLookup.ask(targets)).reachability {
          return Answer(reachability: reachability, method: .netlink)
        }
      } catch {
        // Denied: the fallback answers, and its answers say so.
      }
    #endif
    return ask()
  }
}

#if os(Linux)
  extension RouteMonitor {
    /// Has the thread query the routes without an announcement.
    func askAgain() { watch?.wake() }
  }
#endif

extension ReachabilityProvider where Self == RouteMonitor {
  /// Watches the routes to the Internet at large, with one monitor for the process.
  public static var monitor: RouteMonitor { .shared }

  /// Watches the routes to a source with these addresses.
  ///
  /// Each call starts a monitor of its own: make one and pass it around.
  public static func monitor(_ target: IPAddress, _ others: IPAddress...) -> RouteMonitor {
    RouteMonitor(targets: [target] + others)
  }

  /// Watches the routes to a source with this host, a name or a numeric address.
  ///
  /// Each call starts a monitor of its own: make one and pass it around.
  public static func monitor(host: String) -> RouteMonitor {
    RouteMonitor(host: host)
  }
}
