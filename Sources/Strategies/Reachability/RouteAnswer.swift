/// What the kernel's routing says of one address.
enum RouteAnswer: Equatable {
  /// The table's entry and, for IPv6, the resolved route.
  case route(FoundRoute, resolved: FoundRoute?)
  case noRoute(RouteCause)
  /// The question itself failed, which says nothing about the network.
  case failed(String)

  /// Asks with `question`, which sends one form of the question and returns the reply.
  ///
  /// IPv6 takes two: with a default route but no global address it chooses a source that no router
  /// forwards, and only the resolved form tells the source.
  init(
    for target: IPAddress, asking question: (RouteQuestion.Form) throws(ErrorNumber) -> RouteReply
  ) {
    // Without a zone the kernel cannot know which link is meant.
    guard !target.isLinkLocal else {
      self = .failed("\(target): needs a zone")
      return
    }
    do throws(ErrorNumber) {
      self = Self.judge(try question(.entry))
      guard case .v6 = target, case .route(let entry, _) = self else { return }
      self = Self.judge(try question(.resolved))
      guard case .route(let resolved, _) = self else { return }
      let isLinkLocal = resolved.source.map { IPAddress.v6($0).isLinkLocal } ?? false
      self = isLinkLocal ? .noRoute(.linkLocalSource) : .route(entry, resolved: resolved)
    } catch {
      self = .failed("netlink: \(error)")
    }
  }

  private static func judge(_ reply: RouteReply) -> RouteAnswer {
    switch reply {
    case .refused(let error):
      RouteCause(error: error).map(RouteAnswer.noRoute)
        ?? .failed("netlink: \(ErrorNumber(error))")
    case .route(let route):
      if let cause = RouteCause(kind: route.kind) {
        .noRoute(cause)
      } else {
        route.isLinkDown ? .noRoute(.linkDown) : .route(route, resolved: nil)
      }
    }
  }
}
