package import FreshStore
package import Strategies

extension RecordCollection {
  /// Pushes every due write once; returns the outcomes by key.
  @discardableResult
  package func drain(
    policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    _ push: @escaping @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>
  ) async throws -> [String: PushOutcome<Value>] {
    let due = try await store.dueWrites(collection: name, limit: 1000)
    let outcomes = await self.push(due, policy: policy, conflicts: conflicts, push: push)
    var byKey: [String: PushOutcome<Value>] = [:]
    for write in due { byKey[write.entry.key] = try outcomes[write.entry.id]?.get() }
    return byKey
  }

  /// The value that a read finds, whatever its state.
  package func value(_ key: String) throws(StoreError) -> Value? { try read(key).copy?.value }
}

extension PushOutcome {
  /// The outcome in one line.
  package var words: String {
    switch self {
    case .accepted(let value): "accepted \(value.map { "\($0)" } ?? "nothing")"
    case .discarded(let entries): "discarded \(entries.map(\.id))"
    case .parked(let reason): "parked: \(reason)"
    case .deferred(_, let reason, _): "deferred: \(reason)"
    case .superseded: "superseded"
    }
  }

  /// The time of the next attempt of a deferred write.
  package var until: Timestamp? {
    if case .deferred(let until, _, _) = self { until } else { nil }
  }
}

/// The pushed writes, in order, and the source that answers.
package typealias Sent<Value: Sendable> = Recorder<PendingWrite<Value>>
