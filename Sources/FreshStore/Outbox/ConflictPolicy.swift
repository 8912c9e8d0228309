/// Who wins when a local write meets another change at the source.
public struct ConflictPolicy<Value: Sendable>: Sendable {
  let resolve: @Sendable (Conflict<Value>) async throws -> Resolution<Value>

  /// Nobody wins unasked: the write is parked until somebody retries or drops it.
  public static var parks: ConflictPolicy {
    ConflictPolicy { _ in .parked("the source holds another change") }
  }

  /// The source's version stands; the local writes of the key fall, and an event names them.
  public static var serverWins: ConflictPolicy { ConflictPolicy { _ in .remote } }

  /// The local version is pushed over the source's.
  public static var clientWins: ConflictPolicy {
    ConflictPolicy { conflict in conflict.local.map(Resolution.merged) ?? .deleted }
  }

  /// A closure decides, with the three versions in hand. It may run again for the same conflict,
  /// and may await; an error it throws leaves the write waiting for another attempt.
  public static func merge(
    _ resolve: @escaping @Sendable (Conflict<Value>) async throws -> Resolution<Value>
  ) -> ConflictPolicy {
    ConflictPolicy(resolve: resolve)
  }
}
