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

/// That an origin gave no answer, as its clients hear of it.
struct NoAnswer: Sendable, Hashable {
  /// Whom it tells something besides whoever has asked.
  enum Concern: Sendable, Hashable {
    /// All: the origin cannot be reached, or is not asked.
    case all
    /// Perhaps nobody: the origin was reached, and what this client has sent may be why no answer came. Another request
    /// may get one. So it is where this client has too many requests under way.
    case request
    /// Those whom a copy can answer. There is an answer, which was kept from them alone; without a copy it is passed on.
    case holders
  }

  /// Why, for people.
  let words: String
  /// The same for operators alone: it may tell where the origin is.
  var cause: String?
  /// What is sent where no copy stands in: 504 for an origin that takes too long or is not asked, 502 for one that
  /// refuses or breaks off (RFC 9110 sections 15.6.3 and 15.6.5), 503 where this gateway has no connection left for it.
  var status = 504
  /// False when the origin was not even tried, as it is out of reach or left alone.
  var wasSent = true
  /// When it will be asked again.
  var retryAfter: Duration?
  var concern = Concern.all
}
