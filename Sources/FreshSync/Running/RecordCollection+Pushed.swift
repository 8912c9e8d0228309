internal import FreshStore

/// The way in which a source takes local writes.
enum PushRequest<Value: Sendable>: Sendable {
  /// One by one, with the address to send it to.
  case single(@Sendable (String?, PendingWrite<Value>) async throws -> Pushed<Value>)
  case batch(@Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>])
}

extension RecordCollection {
  /// Pushes one local write, or several in one request.
  func pushed(
    _ writes: [DueWrite], policy: Policy, conflicts: ConflictPolicy<Value>,
    limits: PushLimits, push: PushRequest<Value>
  ) async -> JobEnd {
    let outcomes =
      switch push {
      case .single(let push):
        await self.push(writes, policy: policy, conflicts: conflicts, limits: limits) {
          [address = writes.first?.address] in try await push(address, $0)
        }
      case .batch(let push):
        await self.push(
          together: writes, policy: policy, conflicts: conflicts, limits: limits, push: push)
      }
    var end = JobEnd()
    for write in writes { end.note(outcomes[write.entry.id]) }
    return end
  }
}
