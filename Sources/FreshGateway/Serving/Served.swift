/// What an answer was, for the figures.
enum Served: Int, Sendable, CaseIterable {
  /// A copy that is fresh.
  case hit
  /// One that is not, as the request takes it all the same (`max-stale`).
  case staleByRequest
  /// One that is not, while it is renewed.
  case staleWhileRenewed
  /// One that is not, in the place of an error of the origin.
  case staleForError
  /// One that is not, as the origin was asked and gave no answer.
  case staleForNoAnswer
  /// One that is not, as the origin is out of reach, or left alone.
  case staleUnasked
  /// One that is not, in the place of an answer that breaks the rules.
  case staleByRules
  /// A copy that the origin has confirmed.
  case revalidated
  /// The origin's answer.
  case miss
  /// The origin's answer to somebody else.
  case collapsed
  /// The origin's answer to a request that no copy could answer.
  case passed
  /// An answer of the gateway's own.
  case own
  /// None: the client left before.
  case abandoned

  /// A copy that stands in for an origin that gave no answer.
  init(standingInFor failure: NoAnswer) {
    self =
      switch failure.concern {
      case .holders: .staleByRules
      case .all, .request: failure.wasSent ? .staleForNoAnswer : .staleUnasked
      }
  }

  /// Why a copy that is not fresh was the answer, as the figures call it; `nil` for all else.
  var staleReason: String? {
    switch self {
    case .staleByRequest: "request"
    case .staleWhileRenewed: "renewal"
    case .staleForError: "error"
    case .staleForNoAnswer: "no-answer"
    case .staleUnasked: "not-asked"
    case .staleByRules: "rules"
    case .hit, .revalidated, .miss, .collapsed, .passed, .own, .abandoned: nil
    }
  }
}
