/// The winner when a local write meets another change at the source.
///
/// Two equal sides are no conflict, and no policy is asked: the write is taken for one that had arrived and
/// whose answer was lost. So when two devices both raise a counter from 1 to 2, one of the two steps is lost,
/// whatever the policy. Where each change counts, let an object keep what was done, such as a list of visits,
/// or send an operation that the source applies (``WriteKind/patch(_:contentType:)``).
public struct ConflictPolicy<Value: Sendable>: Sendable {
  /// True when it makes one version of two.
  var merges = false
  let resolve: @Sendable (Conflict<Value>) async throws -> Resolution<Value>

  /// Neither side: the write is parked until it is retried or dropped on request.
  public static var parks: ConflictPolicy {
    ConflictPolicy { _ in .parked("the source holds another change") }
  }

  /// The source's version wins; the local writes of the conflict (``Conflict/local``) are discarded, and an
  /// event names them.
  public static var serverWins: ConflictPolicy { ConflictPolicy { _ in .remote } }

  /// The local version is pushed over the source's: all of it, also where the write was a patch, whose expected
  /// result then replaces what the source holds.
  public static var clientWins: ConflictPolicy {
    ConflictPolicy { conflict in conflict.local.map(Resolution.merged) ?? .deleted }
  }

  /// A closure brings the local changes into the source's version, where both sides have one. An object that
  /// one side has deleted and the other one changed stays, as it was changed.
  ///
  /// ```swift
  /// let conflicts = ConflictPolicy<Site>.merging { local, remote, base in
  ///   remote.visits += local.visits - (base?.visits ?? 0)
  /// }
  /// ```
  ///
  /// - Parameter merge: Changes the source's version, given the local one, and what both were made from; `nil`
  ///   where that is unknown, or both have created the object. It may run again for the same conflict, and
  ///   may await; an error that it throws leaves the write waiting for another attempt.
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

  /// A closure decides, given the three versions, each of which may be missing. It may run again for the
  /// same conflict, and may await; an error that it throws leaves the write waiting for another attempt.
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
  /// The object with all local writes of the key, up to one that was made from another version or comes
  /// after another write; `nil` when they delete it. Those that are left out stay behind the resolution,
  /// whatever it is: none of them is replaced or discarded.
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
