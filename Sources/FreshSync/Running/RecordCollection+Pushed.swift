internal import FreshStore

extension RecordCollection {
  /// Pushes one local write; one whose push was cancelled is given back.
  func pushed(
    _ write: DueWrite, policy: Policy, conflicts: ConflictPolicy<Value>,
    push: @escaping @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>
  ) async -> JobEnd {
    var end = JobEnd()
    end.note(
      await self.push([write], policy: policy, conflicts: conflicts, push: push)[write.entry.id])
    guard Task.isCancelled else { return end }
    do throws(StoreError) {
      try await store.giveBack([write])
    } catch {
      // It comes up again when the time it is held for is over.
      end.storeFailure = error
    }
    return end
  }
}
