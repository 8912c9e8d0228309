internal import Strategies
internal import Synchronization

/// The state that a monitor's thread writes and its readers read.
final class RouteState: Sendable {
  let observers = ReachabilityObservers()
  private let word = Atomic<UInt64>(0)
  private let aim: Mutex<ReachabilityLadder>
  /// The initial ladder. A forked process has no other: a lock does not work across a fork.
  let firstLadder: ReachabilityLadder

  /// A state for these addresses, or for a host without any yet.
  init(targets: [IPAddress], unresolved host: String? = nil) {
    firstLadder = ReachabilityLadder(targets: targets, unresolved: host)
    aim = Mutex(firstLadder)
  }

  /// The ladder to ask where the thread has no verdict; it has the present targets.
  var ladder: ReachabilityLadder { aim.withLock { $0 } }

  /// The monitored addresses.
  var targets: [IPAddress] { ladder.targets }

  /// Monitors other addresses from now on.
  func retarget(_ targets: [IPAddress]) {
    aim.withLock { $0 = ReachabilityLadder(targets: targets) }
  }

  /// The thread's latest finding; one load.
  var present: RouteWord { RouteWord(rawValue: word.load(ordering: .acquiring)) }

  /// The thread's verdict, or without one, the ladder's.
  var reachability: Reachability {
    present.verdict.reachability ?? ladder.answer().reachability
  }

  /// Writes the verdict; a new generation begins when the network is not the same as before.
  func publish(_ verdict: RouteWord.Verdict, isNewNetwork: Bool) {
    let generation = present.generation + (isNewNetwork ? 1 : 0)
    word.store(RouteWord(verdict, generation: generation).rawValue, ordering: .releasing)
  }
}
