internal import Strategies
internal import Synchronization

/// The state that a monitor's thread writes and its readers read.
final class RouteState: Sendable {
  let observers = ReachabilityObservers()
  private let word = Atomic<UInt64>(0)
  private let aim: Mutex<ReachabilityFallback>
  /// The initial fallback. A forked process has no other: a lock does not work across a fork.
  let firstLadder: ReachabilityFallback

  /// A state for these addresses, or for a host without any yet.
  init(targets: [IPAddress], unresolved host: String? = nil) {
    firstLadder = ReachabilityFallback(targets: targets, unresolved: host)
    aim = Mutex(firstLadder)
  }

  /// The fallback to ask where the thread has no verdict; it has the present targets.
  var fallback: ReachabilityFallback { aim.withLock { $0 } }

  /// The monitored addresses.
  var targets: [IPAddress] { fallback.targets }

  /// Monitors other addresses from now on.
  func retarget(_ targets: [IPAddress]) {
    aim.withLock { $0 = ReachabilityFallback(targets: targets) }
  }

  /// The thread's latest finding; one load.
  var present: RouteWord { RouteWord(rawValue: word.load(ordering: .acquiring)) }

  /// The thread's verdict, or without one, the fallback's.
  var reachability: Reachability {
    present.verdict.reachability ?? fallback.answer().reachability
  }

  /// Writes the verdict; a new generation begins when the network is not the same as before.
  func publish(_ verdict: RouteWord.Verdict, isNewNetwork: Bool) {
    let generation = present.generation + (isNewNetwork ? 1 : 0)
    word.store(RouteWord(verdict, generation: generation).rawValue, ordering: .releasing)
  }
}
