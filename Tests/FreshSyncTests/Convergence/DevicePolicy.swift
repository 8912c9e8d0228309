import FreshStore

/// The conflict strategy of a device.
enum DevicePolicy: CaseIterable {
  case serverWins
  case clientWins
  case merge

  /// The store's policy. The decision of a merge is recorded, and may be delayed.
  func conflicts(
    _ note: @escaping @Sendable (Resolution<[String]>, String) -> Void,
    afterwards rest: @escaping @Sendable () async throws -> Void = {}
  ) -> ConflictPolicy<[String]> {
    switch self {
    case .serverWins: .serverWins
    case .clientWins: .clientWins
    case .merge:
      .merge { conflict in
        let resolution = Self.merged(conflict)
        note(resolution, conflict.key)
        try await rest()
        return resolution
      }
    }
  }

  /// The words of the source's value, without the removed ones and with the added ones.
  private static func merged(_ conflict: Conflict<[String]>) -> Resolution<[String]> {
    let base = conflict.base ?? []
    guard let local = conflict.local else {
      return conflict.remote == conflict.base ? .deleted : .remote
    }
    guard let remote = conflict.remote else { return .merged(local) }
    let kept = remote.filter { local.contains($0) || !base.contains($0) }
    return .merged(kept + local.filter { !base.contains($0) && !kept.contains($0) })
  }
}
