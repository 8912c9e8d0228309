internal import FreshHTTP

/// What a gateway does with a request.
enum GatewayDecision: Sendable, Hashable {
  /// It answers from the candidate at this place.
  case answer(AnswerPlan, from: Int)
  /// It answers from it, and renews it meanwhile; whoever asked does not wait for that.
  case answerAndRevalidate(AnswerPlan, from: Int, ForwardPlan)
  /// The origin is asked.
  case forward(ForwardPlan)
  /// It answers itself: 504 to `only-if-cached`, 508 to a loop, or as the last that is asked.
  case refuse(AnswerPlan)

  /// The answer from a candidate, and its place.
  var answerOfCopy: (AnswerPlan, Int)? {
    switch self {
    case .answer(let plan, from: let index), .answerAndRevalidate(let plan, from: let index, _):
      (plan, index)
    case .forward, .refuse: nil
    }
  }
}

/// What a gateway does with the answer of an origin.
struct Conclusion: Sendable, Hashable {
  enum Reply: Sendable, Hashable {
    /// The origin's answer; its content is streamed on, unless the head has none.
    case origin(status: Int, fields: HeaderFields, sendsContent: Bool)
    /// The candidate at this place, as ``changes`` leave it.
    case copy(AnswerPlan, from: Int)
    /// An answer of the gateway's own.
    case own(AnswerPlan)
    /// Another request has to be made first.
    case ask(ForwardPlan)
  }

  /// What happens to a candidate.
  enum Change: Sendable, Hashable {
    /// The head of it, and its times, become these; its content stays.
    case renew(Int, StoredAnswer)
    /// It also answers the requests of another variant: a further record with its content.
    case add(StoredAnswer, contentOf: Int)
    /// It must not be used before it is validated.
    case invalidate(Int)
    /// It is not kept any longer.
    case remove(Int)
  }

  var reply: Reply
  /// The answer as it is to be kept, once its content has come as a whole; or why it is not. `nil` when
  /// there was nothing to keep.
  var storing: Result<StoredAnswer, StoringRefusal>?
  /// The answer for those who have waited for it, where it is not kept, as it is of no use to whoever asks later.
  var momentary: StoredAnswer?
  /// The candidate whose bytes the new ones join: the answer to keep is that of both.
  var joins: Int?
  var changes: [Change] = []
  /// True where nothing is to be kept of the address by now, whether or not there is a copy here: what other hosts of a
  /// fleet have brought is out of date.
  var withdraws = false
  var invalidation = Invalidation.nothing

  /// Why the answer is not kept; `nil` where it is to be, and where there was nothing to keep.
  var whyUnkept: StoringRefusal? {
    if case .failure(let refusal) = storing { refusal } else { nil }
  }
}
