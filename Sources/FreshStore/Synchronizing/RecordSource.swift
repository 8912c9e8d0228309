/// The source of a collection's records: gets, synchronizers and lists ask it, and local writes are sent to it.
///
/// ```swift
/// struct NoteSource: RecordSource {
///   func fetch(_ previous: Previous<Note>) async throws -> Fetched<Note> { … }
///   func push(_ write: PendingWrite<Note>) async throws -> Pushed<Note> { … }
///   func list(_ previous: PreviousList) async throws -> SourceListChange<Note> { … }
/// }
///
/// synchronizer.add(notes, from: source, following: "all")
/// let note = try await notes.get("7", from: source)
/// ```
///
/// Only ``fetch(_:)`` is required. A source whose answers depend on the account states which copies answer its
/// requests (``acceptsVariant``). An error says that nothing is known: the store tries again after a pause,
/// and the error itself may say more (``FetchErrorTraits``).
///
/// The methods are called from several tasks at once, each under the policy's hard timeout. A cancelled task must end
/// soon.
public protocol RecordSource<Value>: Sendable {
  /// The type of the records' values.
  associatedtype Value: Sendable

  /// Tells whether a copy that was stored with a `FetchDetails.variant` answers the requests of this source.
  ///
  /// A variant is for example one account. `nil`, the default, accepts every copy. A get, a refresh and a synchronizer
  /// that are given the source serve no other copy. A collection that is read without the source gets the same
  /// condition by ``Policy/from(_:)``. The cursor and the members of a list are kept once for all variants: forget
  /// the lists, or wipe the store, when another user signs in.
  var acceptsVariant: (@Sendable (String?) -> Bool)? { get }

  /// The origin whose breaker guards the requests to this source when a policy names none; `nil`, the default, for no
  /// breaker.
  ///
  /// The origin of a URL is its scheme, host and port (``Origin/init(_:)``). A source with several origins states none,
  /// and has no breaker.
  var breakerOrigin: Origin? { get }

  /// Fetches one record; the previous state is the basis of a conditional request.
  func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value>

  /// Sends one local write. It may come again under the same idempotency key, when its answer was lost.
  /// By default every write is refused, and so parked, so that a user can see it. Do not write to a collection whose
  /// source takes no writes.
  func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value>

  /// Fetches a list, or its changes; the previous state names the list.
  /// By default there is no list: following one fails, and the error says so.
  func list(_ previous: PreviousList) async throws -> SourceListChange<Value>
}

extension RecordSource {
  /// Every copy answers.
  public var acceptsVariant: (@Sendable (String?) -> Bool)? { nil }

  /// No origin is known.
  public var breakerOrigin: Origin? { nil }

  /// Refuses the write.
  public func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value> {
    .refused("the source takes no writes: its type has no method push(_:)")
  }

  /// Throws: there is no list.
  public func list(_ previous: PreviousList) async throws -> SourceListChange<Value> {
    throw NoList(name: previous.name)
  }
}

/// The error of a source that is asked for a list and has none.
package struct NoList: FetchErrorTraits, CustomStringConvertible {
  private let name: String

  package init(name: String) {
    self.name = name
  }

  package var description: String {
    "the source has no list '\(name)': its type has no method list(_:)"
  }

  /// False: no origin was asked.
  package var blamesOrigin: Bool { false }
  /// None.
  package var retryAfter: Duration? { nil }
  /// False: no origin was asked.
  package var wasAnswered: Bool { false }
}

extension RecordCollection {
  /// As ``get(_:policy:fetch:)-(String,_,_)``, from a source.
  /// A copy that does not answer the source's requests counts as missing (``RecordSource/acceptsVariant``).
  public func get(
    _ key: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await get(key, policy: selecting(policy, source)) { try await source.fetch($0) }
  }

  /// As ``refresh(_:policy:fetch:)-(String,_,_)``, from a source.
  public func refresh(
    _ key: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await refresh(key, policy: selecting(policy, source)) { try await source.fetch($0) }
  }

  /// As ``follow(_:policy:fetch:)``, from a source.
  public func follow(
    _ list: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> FollowedList {
    try await follow(list, policy: selecting(policy, source)) { try await source.list($0) }
  }

  /// The policy of a call; `nil` for the collection's policy, with which memory answers fastest.
  private func selecting(_ policy: Policy?, _ source: some RecordSource<Value>) -> Policy? {
    guard source.acceptsVariant != nil || source.breakerOrigin != nil else { return policy }
    return (policy ?? self.policy).from(source)
  }
}

extension Policy {
  /// This policy for a collection that is read without naming its source.
  ///
  /// It serves a copy only if the copy also answers the requests of the source (``RecordSource/acceptsVariant``). If
  /// this policy names no origin, it uses the source's own origin (``RecordSource/breakerOrigin``). A call with
  /// `from:` applies both by itself.
  public func from(_ source: some RecordSource) -> Policy {
    var policy = accepting(source.acceptsVariant)
    policy.origin = policy.origin ?? source.breakerOrigin
    return policy
  }

  /// This policy with one more condition on the variants that answer; `nil` for none.
  package func accepting(_ accepts: (@Sendable (String?) -> Bool)?) -> Policy {
    guard let accepts else { return self }
    var policy = self
    if let own = acceptsVariant {
      policy.acceptsVariant = { own($0) && accepts($0) }
    } else {
      policy.acceptsVariant = accepts
    }
    return policy
  }
}
