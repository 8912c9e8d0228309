internal import FreshHTTP

/// The decision of a gateway about a request.
enum GatewayDecision: Sendable, Hashable {
  /// Answer from the candidate at this index.
  case answer(AnswerPlan, from: Int)
  /// Answer from the candidate, and renew it in the background.
  case answerAndRevalidate(AnswerPlan, from: Int, ForwardPlan)
  /// Forward the request to the origin.
  case forward(ForwardPlan)
  /// Answer itself: 504 to `only-if-cached`, 508 to a loop, or as the last hop of `Max-Forwards`.
  case refuse(AnswerPlan)

  /// The answer from a candidate, and its index.
  var answerOfCopy: (AnswerPlan, Int)? {
    switch self {
    case .answer(let plan, from: let index), .answerAndRevalidate(let plan, from: let index, _):
      (plan, index)
    case .forward, .refuse: nil
    }
  }
}

/// The decision of a gateway about the answer of an origin.
struct Conclusion: Sendable, Hashable {
  enum Reply: Sendable, Hashable {
    /// The origin's answer. Its body is streamed, unless `sendsContent` is false.
    case origin(status: Int, fields: HeaderFields, sendsContent: Bool)
    /// The candidate at this index, with ``changes`` applied.
    case copy(AnswerPlan, from: Int)
    /// An answer of the gateway itself.
    case own(AnswerPlan)
    /// Another request must be sent first.
    case ask(ForwardPlan)
  }

  /// A change of a candidate, which is named by its index.
  enum Change: Sendable, Hashable {
    /// Its header section and times become these; its content stays.
    case renew(Int, StoredAnswer)
    /// Add a record for another variant with the same content.
    case add(StoredAnswer, contentOf: Int)
    /// It must not be used before it is validated.
    case invalidate(Int)
    /// It is removed.
    case remove(Int)
  }

  var reply: Reply
  /// The answer to keep once its content is complete, or the reason to keep none. `nil` when there was nothing to keep.
  var storing: Result<StoredAnswer, StoringRefusal>?
  /// An answer that is not kept, for the requests that have waited for it.
  var momentary: StoredAnswer?
  /// The candidate whose bytes are joined with the new ones: the answer to keep is that of both.
  var joins: Int?
  var changes: [Change] = []
  /// True where the fleet's answer for the address is out of date, whether or not there is a copy here.
  var withdraws = false
  var invalidation = Invalidation.nothing

  /// The reason why the answer is not kept; `nil` where it is kept, and where there was nothing to keep.
  var whyUnkept: StoringRefusal? {
    if case .failure(let refusal) = storing { refusal } else { nil }
  }
}

/// A failure of an origin to answer, as clients are told.
struct NoAnswer: Sendable, Hashable {
  /// The requests that the failure concerns, besides the one that met it.
  enum Concern: Sendable, Hashable {
    /// All requests: the origin is unreachable, or backing off.
    case all
    /// Perhaps none: the origin was reached, and the content of this request may be the cause. Another request may get
    /// an answer. The same holds for a client with too many requests in flight.
    case request
    /// The requests that a copy can answer. The origin's answer was withheld from them; without a copy it is passed on.
    case holders
  }

  /// The reason, for people.
  let words: String
  /// The reason for operators only: it may reveal where the origin is.
  var cause: String?
  /// The status without a copy to serve stale (RFC 9110 sections 15.6.3 and 15.6.5):
  ///
  /// - 504 for an origin that takes too long or is not asked
  /// - 502 for one that refuses the connection or breaks it off
  /// - 503 where this gateway has no connection left for the origin
  var status = 504
  /// False when no request was sent, as the origin is unreachable or backing off.
  var wasSent = true
  /// The time until it is asked again.
  var retryAfter: Duration?
  var concern = Concern.all
}
