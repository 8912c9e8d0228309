import FreshStore
import Strategies

extension RecordCollection {
  /// Pushes every write that is due, once; what became of each, by key.
  @discardableResult
  func drain(
    policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    _ push: @escaping @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>
  ) async throws -> [String: PushOutcome<Value>] {
    let due = try await store.dueWrites(collection: name, limit: 1000)
    let outcomes = await self.push(due, policy: policy, conflicts: conflicts, push: push)
    var byKey: [String: PushOutcome<Value>] = [:]
    for write in due { byKey[write.entry.key] = try outcomes[write.entry.id]?.get() }
    return byKey
  }

  /// The value a read finds, whatever is thought of it.
  func value(_ key: String) throws(StoreError) -> Value? { try read(key).copy?.value }
}

extension PushOutcome {
  /// The outcome in one line.
  var words: String {
    switch self {
    case .accepted(let value): "accepted \(value.map { "\($0)" } ?? "nothing")"
    case .discarded(let entries): "discarded \(entries.map(\.id))"
    case .parked(let reason): "parked: \(reason)"
    case .deferred(_, let reason, _): "deferred: \(reason)"
    case .superseded: "superseded"
    }
  }

  /// When a deferred write comes up again.
  var until: Timestamp? {
    if case .deferred(let until, _, _) = self { until } else { nil }
  }
}

/// What was pushed, in order, and who answers.
typealias Sent<Value: Sendable> = Recorder<PendingWrite<Value>>
