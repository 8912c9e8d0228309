internal import Strategies

/// The latest finding of a monitor's thread, packed into the one word that a read loads.
struct RouteWord: Equatable {
  /// The verdict in the lowest byte, the generation above it.
  let rawValue: UInt64

  /// The thread's finding.
  enum Verdict: Equatable {
    /// None: the reader has to ask by other ways.
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
  /// Offline only when every address is without a route, for the first one's cause; one failed
  /// question leaves it open, as long as no address has a route.
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

  /// The verdict as a reachability; `nil` when there is none.
  @inline(__always)
  var reachability: Reachability? {
    switch self {
    case .unanswered: nil
    case .online: .online
    case .offline(let cause): .offline(OfflineCause(cause.description))
    }
  }
}
