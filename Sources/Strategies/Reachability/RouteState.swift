internal import Synchronization

/// What a monitor's thread writes and its readers read.
final class RouteState: Sendable {
  let targets: [IPAddress]
  let ladder: ReachabilityLadder
  let observers = ReachabilityObservers()
  private let word = Atomic<UInt64>(0)

  init(targets: [IPAddress]) {
    self.targets = targets
    ladder = ReachabilityLadder(targets: targets)
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
