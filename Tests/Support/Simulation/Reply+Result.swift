import FreshStore
import Strategies

extension Reply {
  /// The answer as a store gets it.
  var result: Result<Fetched<Int>, any Error> {
    switch self {
    case .value(let value, let lifetime, let isTagged):
      .success(
        .value(
          value,
          FetchDetails(expiry: lifetime.expiry, tags: isTagged.map { $0 ? ["tag"] : [] })))
    case .unchanged(let lifetime): .success(.notModified(FetchDetails(expiry: lifetime.expiry)))
    case .gone: .success(.gone)
    case .failure: .failure(SourceFailure())
    }
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
