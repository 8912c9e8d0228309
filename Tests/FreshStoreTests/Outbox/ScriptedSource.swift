import FreshStore
import StoreSupport

/// A source with scripted answers that inspects the writes it receives.
struct ScriptedSource: Sendable {
  let script: [String: [OutboxOracle.Answer]]
  let before: OutboxOracle
  /// True when the policy of the push merges.
  let merges: Bool
  let seen = Recorder<String>()
  let complaints = Recorder<String>()

  func answer(
    _ write: PendingWrite<String>, marking articles: RecordCollection<String>
  ) async throws -> Pushed<String> {
    let number = seen.all.filter { $0 == write.key }.count
    seen.add(write.key)
    if number == 0, let record = before.records[write.key], let head = record.entries.first,
      !record.hasKnownConflict(merging: merges),
      head.value != write.value || head.attempts != write.attempts
        || record.base(merging: merges) != write.base
    {
      complaints.add("\(write), not \(head) upon \(record.known)")
    }
    guard let answer = script[write.key]?[number] else { return .refused("unasked") }
    if answer.marks { try await articles.markStale(write.key) }
    switch answer.kind {
    case .accepted: return .accepted
    case .changed: return .acceptedAs(answer.value, FetchDetails())
    case .refused: return .refused("no")
    case .failed: throw OriginFailure(retryAfter: answer.pause)
    case .conflict: return .conflict(.value(answer.value))
    case .gone: return .conflict(.gone)
    case .same: return .conflict(write.value.map { .value($0) } ?? .gone)
    }
  }
}
