import FreshStoreTesting
import StoreSupport
import Strategies

@testable import FreshStore

/// Tests of local writes that say what they were made from.
protocol BasisSuite: ArticleSuite {}

extension BasisSuite {
  static func version(_ tag: String) -> FetchDetails {
    FetchDetails(validators: Validators(entityTag: "\"\(tag)\""))
  }

  /// The first version, from which a form was made; by now the store may know another one.
  func form(
    in articles: RecordCollection<String>, replacedBy value: String? = nil
  ) async throws -> Basis<String> {
    try await articles.put("one", for: "1", details: Self.version("1"))
    let form = try articles.read("1").basis
    if let value { try await articles.put(value, for: "1", details: Self.version("2")) }
    return form
  }

  /// Notes what is sent, and accepts it unless `answer` says otherwise.
  @discardableResult
  func drain(
    _ articles: RecordCollection<String>, into sent: Sent<String>,
    conflicts: ConflictPolicy<String> = .parks,
    _ answer: @escaping @Sendable (PendingWrite<String>) -> Pushed<String> = { _ in .accepted }
  ) async throws -> [String: PushOutcome<String>] {
    try await articles.drain(conflicts: conflicts) { write in
      sent.add(write)
      return answer(write)
    }
  }

  /// The answer of a source that holds the second version when the first write comes.
  static func once(_ sent: Sent<String>) -> Pushed<String> {
    sent.all.count == 1 ? .conflict(.value("two", version("2"))) : .accepted
  }
}
