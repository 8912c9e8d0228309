internal import FreshStore

extension RecordCollection {
  /// Pushes one local write.
  func pushed(
    _ write: DueWrite, policy: Policy, conflicts: ConflictPolicy<Value>,
    limits: PushLimits,
    push: @escaping @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>
  ) async -> JobEnd {
    var end = JobEnd()
    end.note(
      await self.push(
        [write], policy: policy, conflicts: conflicts, limits: limits, push: push)[write.entry.id])
    return end
  }
}
