/// The winner when a local write meets another change at the source.
public struct ConflictPolicy<Value: Sendable>: Sendable {
  let resolve: @Sendable (Conflict<Value>) async throws -> Resolution<Value>

  /// Neither side: the write is parked until it is retried or dropped on request.
  public static var parks: ConflictPolicy {
    ConflictPolicy { _ in .parked("the source holds another change") }
  }

  /// The source's version wins; the local writes of the conflict (``Conflict/local``) are discarded, and an
  /// event names them.
  public static var serverWins: ConflictPolicy { ConflictPolicy { _ in .remote } }

  /// The local version is pushed over the source's.
  public static var clientWins: ConflictPolicy {
    ConflictPolicy { conflict in conflict.local.map(Resolution.merged) ?? .deleted }
  }

  /// A closure decides, given the three versions. It may run again for the same conflict, and may
  /// await; an error that it throws leaves the write waiting for another attempt.
  public static func merge(
    _ resolve: @escaping @Sendable (Conflict<Value>) async throws -> Resolution<Value>
  ) -> ConflictPolicy {
    ConflictPolicy(resolve: resolve)
  }
}
