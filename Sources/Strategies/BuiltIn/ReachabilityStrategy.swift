/// Valid when the source is provably out of reach, because a stale copy beats none; otherwise
/// unknown. Never invalid, and the subject plays no part.
///
/// ``JudgementContext/reachability`` can skip the provider or supply its answer.
struct ReachabilityStrategy<Subject, Provider: ReachabilityProvider>: Strategy {
  let provider: Provider

  init(_ provider: Provider) {
    self.provider = provider
  }

  var name: String { "reachability" }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    let reachability: Reachability
    switch context.reachability {
    case .ignore: return .unknown(.reachabilityIgnored)
    case .assume(let assumed): reachability = assumed
    case .ask:
      let answer = provider.reachability()
      reachability = answer.isProvablyOffline ? answer : context.evidence ?? answer
    }
    return Opinion(
      reachability.isProvablyOffline ? .valid : .unknown, .reachability(reachability))
  }
}

extension Strategy {
  /// Valid when `provider` proves that the source is out of reach.
  public static func reachability<Object>(_ provider: some ReachabilityProvider) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(ReachabilityStrategy(provider))
  }

  /// Valid when a closure, which must not wait for the network, proves that the source is out of reach.
  public static func reachability<Object>(
    _ body: @escaping @Sendable () -> Reachability
  ) -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(ReachabilityStrategy(ClosureReachability(body)))
  }
}
