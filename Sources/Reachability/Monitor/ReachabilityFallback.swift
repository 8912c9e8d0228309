internal import Strategies
internal import Synchronization

/// The fallback where netlink is denied: asks the kernel by a UDP `connect`, then its route files.
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

  /// A fallback for these addresses, or for a host without any yet.
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
