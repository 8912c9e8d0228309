/// The winner when a local write meets another change at the source.
///
/// Two equal sides are no conflict, and no policy is asked. The store takes the write for one that had arrived and
/// whose answer was lost. So when two devices both raise a counter from 1 to 2, one of the two steps is lost under
/// every policy.
///
/// Where each change counts, let an object keep the changes, such as a list of visits. Or send an operation that the
/// source applies (``WriteKind/patch(_:contentType:)``).
public struct ConflictPolicy<Value: Sendable>: Sendable {
  /// True when the policy makes one version of two.
  var merges = false
  let resolve: @Sendable (Conflict<Value>) async throws -> Resolution<Value>

  /// Neither side wins: the write is parked until it is retried or dropped on request.
  public static var parks: ConflictPolicy {
    ConflictPolicy { _ in .parked("the source holds another change") }
  }

  /// The source's version wins; the local writes of the conflict (``Conflict/local``) are discarded, and an
  /// event names them.
  public static var serverWins: ConflictPolicy { ConflictPolicy { _ in .remote } }

  /// The whole local version is pushed over the source's version.
  ///
  /// This also holds for a patch: its expected result then replaces the source's value.
  public static var clientWins: ConflictPolicy {
    ConflictPolicy { conflict in conflict.local.map(Resolution.merged) ?? .deleted }
  }

  /// A closure brings the local changes into the source's version, where both sides have a version.
  ///
  /// An object that one side has deleted and the other side has changed stays, as it was changed.
  ///
  /// ```swift
  /// let conflicts = ConflictPolicy<Site>.merging { local, remote, base in
  ///   remote.visits += local.visits - (base?.visits ?? 0)
  /// }
  /// ```
  ///
  /// - Parameter merge: Changes the source's version, given the local version and the base of both. The base is `nil`
  ///   where it is unknown, or both sides have created the object. The closure may run again for the same conflict, and
  ///   may await. An error that it throws leaves the write waiting for another attempt.
  public static func merging(
    _ merge:
      @escaping @Sendable (_ local: Value, _ remote: inout Value, _ base: Value?) async throws
      -> Void
  ) -> ConflictPolicy {
    ConflictPolicy(merges: true) { conflict in
      guard let local = conflict.local else { return .remote }
      guard var merged = conflict.remote else { return .merged(local) }
      try await merge(local, &merged, conflict.base)
      return .merged(merged)
    }
  }

  /// A closure decides, given the three versions, each of which may be missing.
  ///
  /// It may run again for the same conflict, and may await. An error that it throws leaves the write waiting for
  /// another attempt.
  public static func merge(
    _ resolve: @escaping @Sendable (Conflict<Value>) async throws -> Resolution<Value>
  ) -> ConflictPolicy {
    ConflictPolicy(merges: true, resolve: resolve)
  }
}

/// A local write that met another change at the source: the three versions of the object.
public struct Conflict<Value: Sendable>: Sendable {
  /// The key.
  public let key: String
  /// The last known state of the source before the local writes; `nil` when it held nothing, or is
  /// unknown.
  public let base: Value?
  /// The object with the local writes of the key; `nil` when they delete it.
  ///
  /// The first write that was made from another version, or comes after another write, is left out, and so are the
  /// writes behind it. They stay behind any resolution: none of them is replaced or discarded.
  public let local: Value?
  /// The source's current state; `nil` when it holds nothing.
  public let remote: Value?
}

/// The resolution of a conflict.
public enum Resolution<Value: Sendable>: Sendable {
  /// This value is stored and pushed, as one write based on the source's current state.
  case merged(Value)
  /// The object is deleted at the source nevertheless.
  case deleted
  /// The source's version wins; the local writes of the conflict (``Conflict/local``) are discarded, and an
  /// event names them.
  case remote
  /// Nothing is decided: the write is parked for this reason.
  case parked(String)
}
