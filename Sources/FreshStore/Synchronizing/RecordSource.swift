/// The source of a collection's records, in one type: what gets, synchronizers and lists ask, and what is
/// told of local writes.
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
/// Only ``fetch(_:)`` has to be there. A source whose answers depend on who asks tells whose copies are whose
/// (``acceptsVariant``). An error says that nothing is known: it is tried again after a pause,
/// and the error itself may say more (``FetchErrorTraits``). The methods are called from several tasks at
/// once, each under the policy's hard timeout; a cancelled task is to end soon.
public protocol RecordSource<Value>: Sendable {
  /// The type of the records' values.
  associatedtype Value: Sendable

  /// Whether a copy that was stored with a `FetchDetails.variant` answers the requests of this source, such as
  /// those of one account; `nil`, the default, accepts every copy.
  ///
  /// A get, a refresh and a synchronizer that are given the source serve no other copy; a collection that is read
  /// without it does so by ``Policy/from(_:)``. The cursor and the members of a list are kept once for all: forget
  /// the lists, or wipe the store, when another user signs in.
  var acceptsVariant: (@Sendable (String?) -> Bool)? { get }

  /// The origin whose breaker guards what is asked of this source, where a policy names none: of a URL its scheme, host
  /// and port (``Origin/init(_:)``). `nil`, the default, where there is none, or many: then there is no breaker.
  var breakerOrigin: Origin? { get }

  /// Asks for one record; the previous state is the basis of a conditional request.
  func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value>

  /// Sends one local write. It may come again under the same idempotency key, when its answer was lost.
  ///
  /// By default every write is refused, and so parked where a user can see it: a collection whose source
  /// takes no writes is not to be written to.
  func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value>

  /// Asks for a list, or for its changes; the previous state names the list.
  ///
  /// By default there is no list: following one fails, and says so.
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

/// A list was asked for of a source that has none.
package struct NoList: FetchErrorTraits, CustomStringConvertible {
  private let name: String

  /// Names the list.
  package init(name: String) {
    self.name = name
  }

  /// The failure, in words.
  package var description: String {
    "the source has no list '\(name)': its type has no method list(_:)"
  }

  /// False: nobody was asked.
  package var blamesOrigin: Bool { false }
  /// None.
  package var retryAfter: Duration? { nil }
  /// False: nobody was asked.
  package var wasAnswered: Bool { false }
}

extension RecordCollection {
  /// As ``get(_:policy:fetch:)-(String,_,_)``, from a source. A copy that does not answer the
  /// source's requests counts as missing (``RecordSource/acceptsVariant``).
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

  /// The policy of a call; `nil` for the collection's, by which memory answers fastest.
  private func selecting(_ policy: Policy?, _ source: some RecordSource<Value>) -> Policy? {
    guard source.acceptsVariant != nil || source.breakerOrigin != nil else { return policy }
    return (policy ?? self.policy).from(source)
  }
}

extension Policy {
  /// This policy, by which a copy is served only if it also answers the requests of a source
  /// (``RecordSource/acceptsVariant``), with the breaker of the source's own origin where the policy names none
  /// (``RecordSource/breakerOrigin``): for a collection that is read without naming its source. What is asked `from:` a source
  /// has both already.
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
