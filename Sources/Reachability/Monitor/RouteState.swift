internal import Strategies
internal import Synchronization

/// What a monitor's thread writes and its readers read.
final class RouteState: Sendable {
  let observers = ReachabilityObservers()
  private let word = Atomic<UInt64>(0)
  private let aim: Mutex<ReachabilityLadder>
  /// The ladder of the start. A process that was forked off has no other: a lock works only in the
  /// process whose threads know it.
  let firstLadder: ReachabilityLadder

  /// A state for these addresses, or without any yet for those of a host.
  init(targets: [IPAddress], unresolved host: String? = nil) {
    firstLadder = ReachabilityLadder(targets: targets, unresolved: host)
    aim = Mutex(firstLadder)
  }

  /// What is asked where the thread has no verdict; it has the present targets.
  var ladder: ReachabilityLadder { aim.withLock { $0 } }

  /// The addresses that are asked about.
  var targets: [IPAddress] { ladder.targets }

  /// Has other addresses asked about from now on.
  func retarget(_ targets: [IPAddress]) {
    aim.withLock { $0 = ReachabilityLadder(targets: targets) }
  }

  /// What the thread last learnt; one load.
  var present: RouteWord { RouteWord(rawValue: word.load(ordering: .acquiring)) }

  /// The thread's verdict, or where it has none, the ladder's.
  var reachability: Reachability {
    present.verdict.reachability ?? ladder.answer().reachability
  }

  /// Writes what was learnt; a new generation begins when the network is not the same as before.
  func publish(_ verdict: RouteWord.Verdict, isNewNetwork: Bool) {
    let generation = present.generation + (isNewNetwork ? 1 : 0)
    word.store(RouteWord(verdict, generation: generation).rawValue, ordering: .releasing)
  }
}
