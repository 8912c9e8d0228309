import FreshStore
import Strategies

extension Reply {
  /// The answer as a store gets it; `nil` for a failure.
  var fetched: Fetched<Int>? {
    switch self {
    case .value(let value, let lifetime, let isTagged):
      .value(
        value, FetchDetails(expiry: lifetime.expiry, tags: isTagged.map { $0 ? ["tag"] : [] }))
    case .unchanged(let lifetime): .notModified(FetchDetails(expiry: lifetime.expiry))
    case .gone: .gone
    case .failure: nil
    }
  }

  /// The answers to a question as a store gets them; `nil` for a failure.
  static func result(_ replies: [String: Reply]?) -> Result<[String: Fetched<Int>], any Error> {
    replies.map { .success($0.compactMapValues(\.fetched)) } ?? .failure(SourceFailure())
  }
}

extension PushReply {
  /// The answer as a store gets it.
  var result: Result<Pushed<Int>, any Error> {
    switch self {
    case .accepted: .success(.accepted)
    case .changed(let value): .success(.acceptedAs(value, FetchDetails()))
    case .refused: .success(.refused("no"))
    case .failure: .failure(SourceFailure())
    case .conflict(let value): .success(.conflict(value.map { .value($0) } ?? .gone))
    }
  }
}
