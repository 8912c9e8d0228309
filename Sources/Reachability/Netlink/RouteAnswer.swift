internal import Platform
internal import Strategies

/// The answer of the kernel's routing about one address.
enum RouteAnswer: Equatable {
  /// The table's entry and, for IPv6, the resolved route.
  case route(FoundRoute, resolved: FoundRoute?)
  case noRoute(RouteCause)
  /// The question itself failed; that says nothing about the network.
  case failed(String)

  /// Asks with `question`, which sends a question and returns the reply.
  ///
  /// IPv6 takes two questions. With a default route but no global address, IPv6 chooses a source that no router
  /// forwards. Only the resolved form shows that source, and hosts on the link still hear from it.
  ///
  /// Without a route for a packet without a source, IPv6 still chooses a source and looks again, with the routes and
  /// rules for that source. `source` returns the source that a connection would have.
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

/// The reason in the kernel's routing why no packet can leave.
///
/// The texts are literals, so that a read that reports the cause allocates nothing.
enum RouteCause: UInt8, CaseIterable, CustomStringConvertible {
  case noRoute
  case unreachable
  case blackhole
  case prohibited
  case noAddress
  case linkDown
  case linkLocalSource

  /// The cause that an error number of the routing tables means; `nil` for an error of the question.
  init?(error: Int32) {
    // The numbers of Linux, because only Linux has netlink.
    switch error {
    case 101: self = .noRoute
    case 113: self = .unreachable
    case 22: self = .blackhole
    case 13: self = .prohibited
    case 99: self = .noAddress
    default: return nil
    }
  }

  /// The cause that a route without traffic means (`rtm_type`); `nil` for a route that carries packets.
  init?(kind: UInt8) {
    switch kind {
    case 6: self = .blackhole
    case 7: self = .unreachable
    case 8: self = .prohibited
    case 9: self = .noRoute
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .noRoute: "no route (netlink, ENETUNREACH)"
    case .unreachable: "an unreachable route (netlink, EHOSTUNREACH)"
    case .blackhole: "a blackhole route (netlink, EINVAL)"
    case .prohibited: "a prohibit route (netlink, EACCES)"
    case .noAddress: "no address of its family (netlink, EADDRNOTAVAIL)"
    case .linkDown: "no carrier (netlink, LINKDOWN)"
    case .linkLocalSource: "only a link-local source address (netlink)"
    }
  }
}

/// The latest finding of a monitor's thread, packed into one machine word that a read loads.
struct RouteWord: Equatable {
  /// The verdict in the lowest byte, the generation above it.
  let rawValue: UInt64

  /// The thread's finding.
  enum Verdict: Equatable {
    /// No verdict: the reader has to use the fallback.
    case unanswered
    case online
    case offline(RouteCause)
  }

  private static let online: UInt64 = 1
  private static let firstCause: UInt64 = 2

  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(_ verdict: Verdict, generation: UInt64) {
    let code =
      switch verdict {
      case .unanswered: UInt64(0)
      case .online: Self.online
      case .offline(let cause): Self.firstCause + UInt64(cause.rawValue)
      }
    rawValue = generation << 8 | code
  }

  /// The number of observed changes of the network.
  var generation: UInt64 { rawValue >> 8 }

  @inline(__always)
  var verdict: Verdict {
    let code = rawValue & 0xFF
    if code == Self.online { return .online }
    guard code >= Self.firstCause,
      let cause = RouteCause(rawValue: UInt8(code - Self.firstCause))
    else { return .unanswered }
    return .offline(cause)
  }
}

extension RouteWord.Verdict {
  /// Offline only when no address has a route; the cause is the first one's. Without a route, one failed question
  /// leaves the verdict open.
  init(_ answers: [RouteAnswer]) {
    var cause: RouteCause?
    var isProof = !answers.isEmpty
    for answer in answers {
      switch answer {
      case .route:
        self = .online
        return
      case .noRoute(let refusal): cause = cause ?? refusal
      case .failed: isProof = false
      }
    }
    self = if isProof, let cause { .offline(cause) } else { .unanswered }
  }

  /// The verdict as a reachability; `nil` without a verdict.
  @inline(__always)
  var reachability: Reachability? {
    switch self {
    case .unanswered: nil
    case .online: .online
    case .offline(let cause): .offline(OfflineCause(cause.description))
    }
  }
}
