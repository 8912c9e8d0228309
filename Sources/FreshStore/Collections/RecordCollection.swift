internal import Rules

/// The records of one name and one type in a ``Store``.
///
/// A value: cheap to copy, safe to share. Keys are 1 to 1,024 bytes of UTF-8; NUL is allowed.
public struct RecordCollection<Value: Sendable>: Sendable {
  /// The collection's name.
  public let name: String
  /// How its records are got unless a call says otherwise.
  public var policy: Policy
  /// The store.
  public let store: Store

  let codec: any Codec<Value>
  let rule: Rule<Value>?
  let contentVersion: Int64
  let flights: FlightTable<Value>

  init(
    name: String, policy: Policy, store: Store, codec: any Codec<Value>, rule: Rule<Value>?,
    contentVersion: Int64, flights: FlightTable<Value>
  ) {
    self.name = name
    self.policy = policy
    self.store = store
    self.codec = codec
    self.rule = rule
    self.contentVersion = contentVersion
    self.flights = flights
  }

  /// Committed changes of the collection, or of one key, from now on, until the task that iterates
  /// is cancelled or the store is closed. An observer more than `limit` changes behind loses the
  /// oldest and learns how many (``Change/missed``).
  public func changes(of key: String? = nil, buffering limit: Int = 1024) -> AsyncStream<Change> {
    store.hub.changes(collection: name, key: key, buffering: limit)
  }

  /// Refuses a key that cannot be stored.
  func check(_ key: String, _ operation: Operation) throws(StoreError) {
    guard (1...1024).contains(key.utf8.count) else { throw error(.invalidKey, operation, key) }
  }

  func error(_ code: StoreError.Code, _ operation: Operation, _ key: String?) -> StoreError {
    StoreError(code, operation, collection: name, key: key, path: store.path)
  }
}
