internal import FreshHTTP
internal import Strategies
internal import Synchronization
internal import Testing

@testable import FreshGateway

/// Sun, 06 Nov 1994 08:49:37 GMT, the date of RFC 9110 section 5.6.7.
let arrival = Timestamp(millisecondsSinceEpoch: 784_111_777_000)

/// The date field of a moment that many seconds from ``arrival``.
func date(_ seconds: Int) -> String {
  HTTPDate.format(arrival.advanced(by: .seconds(seconds)))
}

/// Fields written as `Name: value`, separated by ` | `.
func fields(_ text: String) -> HeaderFields {
  HeaderFields(
    text.split(separator: " | ").map { line in
      let name = line.prefix { $0 != ":" }
      return HeaderFields.Line(name: String(name), value: String(line.dropFirst(name.count + 1)))
    })
}

let origin = Site.origin(address("http://origin.example"))

func address(_ text: String) -> HTTPAddress {
  do {
    return try HTTPAddress(text)
  } catch {
    preconditionFailure("\(text) is no address")
  }
}

/// A request to the gateway of `http://origin.example`, as it is understood.
func request(
  _ text: String = "", _ method: String = "GET", _ target: String = "/page"
) throws -> GatewayRequest {
  let incoming = IncomingRequest(
    method, target, fields: HeaderFields(fields("Host: gateway").lines + fields(text).lines))
  return try RequestReading(site: origin).read(incoming, now: arrival)
}

/// An answer of the origin that came in that many seconds after ``arrival``.
func answer(
  _ text: String = "", _ status: Int = 200, at seconds: Int = 0, delay: Duration = .zero
) -> OriginAnswer {
  OriginAnswer(
    status: status, fields: fields(text), receivedAt: arrival.advanced(by: .seconds(seconds)),
    delay: delay)
}

/// The answer to a request as it is kept, with so many bytes.
func stored(
  _ text: String, _ status: Int = 200, for asked: String = "", at seconds: Int = 0,
  length: Int64 = 100, policy: GatewayPolicy = GatewayPolicy()
) throws -> StoredAnswer {
  let stored = try Storing(policy: policy)
    .stored(answer(text, status, at: seconds), for: request(asked))
  return status == 206 ? stored : stored.with(.whole(length), policy: policy)
}

/// The same, so many seconds later.
func candidate(
  _ text: String, _ status: Int = 200, for asked: String = "", at seconds: Int = 0,
  length: Int64 = 100, after: Int = 0, mark: Candidate.Mark = .none,
  policy: GatewayPolicy = GatewayPolicy()
) throws -> Candidate {
  Candidate(
    try stored(text, status, for: asked, at: seconds, length: length, policy: policy),
    residentTime: .seconds(after), mark: mark)
}

/// The plan for a request that some candidates cannot answer.
func forwardPlan(_ candidates: [Candidate], for asked: String = "", _ method: String = "GET")
  throws
  -> ForwardPlan
{
  try #require(semantics.decide(try request(asked, method), among: candidates).forward)
}

/// A time that is moved by hand.
final class ManualTime: Sendable {
  private let moment = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { moment.withLock { $0 } }

  func pass(_ duration: Duration) { moment.withLock { $0 = $0.advanced(by: duration) } }
}

/// Why an answer is not kept; `nil` when it is.
func refusal(
  _ text: String, _ status: Int = 200, for asked: GatewayRequest,
  _ policy: GatewayPolicy = GatewayPolicy()
) -> StoringRefusal? {
  do {
    _ = try Storing(policy: policy).stored(answer(text, status), for: asked)
    return nil
  } catch {
    return error
  }
}

let semantics = CacheSemantics(GatewayPolicy()) { "boundary" }

extension GatewayDecision {
  /// `hit`, `revalidating`, `forward` with its reason, or the status of a refusal.
  var summary: String {
    switch self {
    case .answer(let plan, _): "answer \(plan.status)"
    case .answerAndRevalidate(let plan, _, _): "answer \(plan.status) and revalidate"
    case .forward(let plan): "forward \(plan.reason.rawValue)"
    case .refuse(let plan): "refuse \(plan.status)"
    }
  }

  var answer: AnswerPlan? {
    switch self {
    case .answer(let plan, _), .answerAndRevalidate(let plan, _, _), .refuse(let plan): plan
    case .forward: nil
    }
  }

  var forward: ForwardPlan? {
    switch self {
    case .forward(let plan), .answerAndRevalidate(_, _, let plan): plan
    case .answer, .refuse: nil
    }
  }
}

extension Conclusion {
  var status: Int? {
    switch reply {
    case .origin(let status, _, _): status
    case .copy(let plan, _), .own(let plan): plan.status
    case .ask: nil
    }
  }

  var fields: HeaderFields {
    switch reply {
    case .origin(_, let fields, _): fields
    case .copy(let plan, _), .own(let plan): plan.fields
    case .ask: [:]
    }
  }

  var refusal: StoringRefusal? {
    if case .failure(let refusal) = storing { refusal } else { nil }
  }

  var kept: StoredAnswer? {
    if case .success(let stored) = storing { stored } else { nil }
  }
}
