internal import Platform

/// The answer of the kernel's routing about one address.
enum RouteAnswer: Equatable {
  /// The table's entry and, for IPv6, the resolved route.
  case route(FoundRoute, resolved: FoundRoute?)
  case noRoute(RouteCause)
  /// The question itself failed, which says nothing about the network.
  case failed(String)

  /// Asks with `question`, which sends a question and returns the reply.
  ///
  /// IPv6 takes two: with a default route but no global address it chooses a source that no router
  /// forwards, and only the resolved form gives the source; hosts on the link itself still hear
  /// from such a source. And without a route for a packet without a source, IPv6 still chooses a
  /// source and looks again, now with the routes and rules for it: `source` returns the one a
  /// connection would have.
  init(
    for target: IPAddress, source: (IPAddress) -> IPAddress? = { _ in nil },
    asking question: (RouteQuestion) throws(ErrorNumber) -> RouteReply
  ) {
    // Without a zone the kernel cannot identify the link.
    guard !target.isLinkLocal else {
      self = .failed("\(target): needs a zone")
      return
    }
    do throws(ErrorNumber) {
      self = try Self.judge(.entry(target), asking: question)
      guard case .v6 = target else { return }
      switch self {
      case .route(let entry, _):
        self = try Self.judge(.resolved(target), asking: question)
        guard case .route(let resolved, _) = self else { return }
        let isLinkLocal = resolved.source.map { IPAddress.v6($0).isLinkLocal } ?? false
        let leavesLink = resolved.gateway != nil || entry.isDefault
        self =
          isLinkLocal && leavesLink
          ? .noRoute(.linkLocalSource) : .route(entry, resolved: resolved)
      case .noRoute(let cause) where cause != .linkDown:
        guard let source = source(target) else { return }
        self = try Self.judge(.entry(target, from: source), asking: question)
      case .noRoute, .failed: return
      }
    } catch {
      self = .failed("netlink: \(error)")
    }
  }

  private static func judge(
    _ question: RouteQuestion, asking ask: (RouteQuestion) throws(ErrorNumber) -> RouteReply
  ) throws(ErrorNumber) -> RouteAnswer {
    switch try ask(question) {
    case .refused(let error):
      return RouteCause(error: error).map(RouteAnswer.noRoute)
        ?? .failed("netlink: \(ErrorNumber(error))")
    case .nextHop:
      throw .noAnswer
    case .route(let route):
      let route = route.completed { number in
        do throws(ErrorNumber) {
          guard case .nextHop(let object) = try ask(.nextHop(number)) else { return nil }
          return object
        } catch {
          // The route was still found.
          return nil
        }
      }
      if let cause = RouteCause(kind: route.kind) { return .noRoute(cause) }
      return route.isLinkDown ? .noRoute(.linkDown) : .route(route, resolved: nil)
    }
  }
}
