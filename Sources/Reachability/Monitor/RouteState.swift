internal import Strategies
internal import Synchronization

/// The state of a monitor: its thread writes it, and its readers read it.
final class RouteState: Sendable {
  let observers = ReachabilityObservers()
  private let word = Atomic<UInt64>(0)
  private let aim: Mutex<ReachabilityFallback>
  /// The initial fallback. A forked process uses no other, because a lock does not work across a fork.
  let firstFallback: ReachabilityFallback

  /// A state for these addresses, or for a host that has no address yet.
  init(targets: [IPAddress], unresolved host: String? = nil) {
    firstFallback = ReachabilityFallback(targets: targets, unresolved: host)
    aim = Mutex(firstFallback)
  }

  /// The fallback for the present targets, asked where the thread has no verdict.
  var fallback: ReachabilityFallback { aim.withLock { $0 } }

  /// The monitored addresses.
  var targets: [IPAddress] { fallback.targets }

  /// Monitors other addresses from now on.
  func retarget(_ targets: [IPAddress]) {
    aim.withLock { $0 = ReachabilityFallback(targets: targets) }
  }

  /// The thread's latest finding; one load.
  var present: RouteWord { RouteWord(rawValue: word.load(ordering: .acquiring)) }

  /// The thread's verdict; without one, the fallback's answer.
  var reachability: Reachability {
    present.verdict.reachability ?? fallback.answer().reachability
  }

  /// Writes the verdict; a new generation begins when the network is not the same as before.
  func publish(_ verdict: RouteWord.Verdict, isNewNetwork: Bool) {
    let generation = present.generation + (isNewNetwork ? 1 : 0)
    word.store(RouteWord(verdict, generation: generation).rawValue, ordering: .releasing)
  }
}

/// The fallback where netlink is denied: asks the kernel by a UDP `connect`, and then reads its route files.
///
/// An answer is kept for a second, because these ways cost microseconds and announce no change.
final class ReachabilityFallback: Sendable {
  /// An answer and the way it was found.
  struct Answer: Equatable {
    let reachability: Reachability
    let method: ReachabilityMethod
  }

  static let lifetime: Duration = .seconds(1)

  let targets: [IPAddress]
  private let host: String?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let kept = Mutex<(answer: Answer, end: ContinuousClock.Instant)?>(nil)

  /// A fallback for these addresses, or for a host that has no address yet.
  init(
    targets: [IPAddress], unresolved host: String? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.targets = targets
    self.host = host
    self.now = now
  }

  /// An answer at most a second old.
  func answer() -> Answer {
    let now = now()
    return kept.withLock { kept in
      if let kept, now < kept.end { return kept.answer }
      let answer = ask()
      kept = (answer, now + Self.lifetime)
      return answer
    }
  }

  /// Asks now; the first method with an answer wins.
  func ask() -> Answer {
    guard !targets.isEmpty else {
      let cause =
        host.map { "the name \($0) is not resolved yet" } ?? "there is no address to ask about"
      return Answer(reachability: .unknown(cause), method: .none)
    }
    let byConnect = RouteProbe.reachability(of: targets, asking: RouteProbe.ask)
    switch byConnect {
    case .offline(let cause):
      return Answer(reachability: .offline("\(cause) (connect)"), method: .connect)
    case .unknown(let refusal):
      let byFiles = RouteTableReachability(targets: targets).reachability()
      guard case .unknown(let failure) = byFiles else {
        return Answer(reachability: byFiles, method: .routeFiles)
      }
      return Answer(reachability: .unknown("\(refusal); \(failure)"), method: .none)
    default:
      return Answer(reachability: byConnect, method: .connect)
    }
  }
}

/// The method that answered, from the best to the worst.
public enum ReachabilityMethod: String, Sendable, Hashable, CaseIterable {
  /// The kernel's routing tables, over netlink, watched.
  case netlink
  /// A UDP `connect`, which chooses a route and sends nothing.
  case connect
  /// The files in which the kernel shows its routing tables.
  case routeFiles = "route-files"
  /// None answered; the state is unknown.
  case none
}
