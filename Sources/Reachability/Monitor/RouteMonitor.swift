internal import Platform
public import Strategies
internal import Synchronization

/// Knows at every moment whether any packet for the source could leave this host. A read costs an atomic load.
///
/// At its start it asks the kernel's routing for each address, so that there is no first guess (rtnetlink(7),
/// `RTM_GETROUTE` with the entry that matches). From then on one thread listens to the kernel's announcements of
/// links, addresses, routes, rules and next hops, and asks again. Under continuous changes it asks once in 10 ms.
/// Policy rules, metrics, blackholes, tunnels and an unplugged cable all count. No packet is sent and no privilege
/// is needed.
///
/// It cannot see a silent firewall, a dead upstream, or traffic that goes through a proxy or is bound to another
/// interface. Ask about the addresses of the source, or of the proxy before it. A source with several addresses is
/// offline only when none has a route.
///
/// The name of a host is looked up at the start, when the network changes, and when the files of the system's
/// resolver change. The lookup has its own thread. Those files are checked every 30 seconds and after every
/// announcement. Until the first lookup has ended the state is `Reachability.unknown(_:)`, which counts as online.
///
/// A name may lack an address because nothing is in reach. The monitor then asks about the Internet at large. Known
/// addresses outlive a failed lookup. A monitor that believes the source out of reach keeps trying. A name without an
/// address, or without a route to one, is looked up again: after a second, then less often, at least once a minute.
///
/// Where netlink is denied or missing, a UDP `connect` answers and keeps its answer for a second. Where that is
/// denied too, the files of ``RouteTableReachability`` answer; after that the answer is `Reachability.unknown(_:)`.
/// ``method`` names the method that answered, and so does the cause of an `Reachability.offline(_:)`. A forked
/// process has no thread to trust, so each question goes to the kernel, about the first addresses of the monitor.
///
/// The monitor belongs to the network namespace of the thread that makes it. Without netlink, each question belongs
/// to the namespace of the asking thread. The monitor's thread ends with it.
public final class RouteMonitor: ObservableReachability {
  /// The process's monitor of the Internet at large.
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

  /// Starts a monitor for a source with this host, a name or a numeric address; does not wait for the lookup of the
  /// name.
  public convenience init(host: String) {
    self.init(host: host, addresses: nil, lookup: HostLookup.system.begin)
  }

  /// A monitor of a host whose name has just been looked up, with the addresses found. Without any address it asks
  /// about the Internet at large until a change brings some.
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
        // Without a thread nothing keeps the state current, so it must hold no verdict.
        state.publish(.unanswered, isNewNetwork: false)
        watch = nil
      }
      guard state.targets.isEmpty else { return }
      // Weak, so that a lookup that never ends does not keep the thread alive.
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

  /// The monitored addresses; none before the first lookup of a host's name.
  public var targets: [IPAddress] { isWatched ? state.targets : state.firstFallback.targets }

  /// Monitors other addresses from now on. When this returns, the state belongs to the new addresses.
  ///
  /// A new generation begins only where their routes differ from the earlier ones. The addresses of a host hold
  /// until its name is looked up again. Safe on any thread; costs about a microsecond for each address. In a forked
  /// process it does nothing.
  public func retarget(_ targets: [IPAddress]) {
    guard isWatched else { return }
    #if os(Linux)
      watch?.retarget(targets) ?? state.retarget(targets)
    #else
      state.retarget(targets)
    #endif
  }

  /// The present state. Where netlink answers, it costs two loads and no system call: some nanoseconds.
  @inline(__always)
  public func reachability() -> Reachability {
    guard isWatched, let reachability = state.present.verdict.reachability else {
      return reachabilityByOtherWays()
    }
    return reachability
  }

  // Separate, so that a read with a verdict does not pay for saving registers.
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

  /// The present state and then each change. Offline is reported at once, a better state once it has held for
  /// `settle`, because addresses, names and neighbours follow a route a little later. A new network repeats the
  /// state even if it is the same.
  ///
  /// A slow reader gets only the newest state. Where netlink is denied, the state is polled once a second while
  /// there is a reader. The sequence keeps the monitor alive.
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
      // A thread without observers may have checked less often than it must now.
      if isTold { watch?.wake() }
    #endif
    return stream
  }

  private var isWatched: Bool { ForkCount.now == birth }

  private func ask() -> ReachabilityFallback.Answer { state.firstFallback.look() }
}

extension RouteMonitor {
  /// True when the changes have a reader.
  var hasObservers: Bool { !state.observers.isEmpty }

  /// The state that a monitor of these addresses would give now. Opens a socket for one question, and leaves
  /// neither a socket nor a thread behind. For callers that ask about many sources.
  package static func look(at targets: [IPAddress]) -> Reachability {
    ReachabilityFallback(targets: targets).look().reachability
  }

  /// The number of route queries by the thread, and one before it. While the number stays the same, the kernel has
  /// announced nothing. Always 0 without announcements.
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
        // Netlink is denied. The fallback answers, and its answers say so.
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
  /// Watches the routes to the Internet at large, with the process's one monitor.
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
