internal import Rules
internal import Strategies

/// The records of one name and one type in a ``Store``.
///
/// A collection is a value: it is cheap to copy and safe to share. Keys are 1 to 1,024 bytes of UTF-8; NUL is allowed.
public struct RecordCollection<Value: Sendable>: Sendable {
  /// The collection's name.
  public let name: String
  /// The policy of its records unless a call passes another.
  public var policy: Policy {
    get { sharedPolicy.policy }
    set {
      sharedPolicy = SharedPolicy(newValue)
      isPlain = Self.isPlain(newValue, admission)
    }
  }
  /// The store.
  public let store: Store

  @usableFromInline private(set) var sharedPolicy: SharedPolicy
  @usableFromInline let codec: any Codec<Value>
  var admission: Admission<Value> {
    didSet { isPlain = Self.isPlain(policy, admission) }
  }
  /// Reads the bytes of a value of an earlier version of the content; `nil` where no such bytes can be read.
  @usableFromInline let migration: Migration?
  let flights: FlightTable<Value>
  /// Tells its records in memory from the records of other collections.
  @usableFromInline let kind: ResidentKind
  /// True when neither rules nor the policy require anything of a value that is fresh by its age.
  @usableFromInline private(set) var isPlain: Bool

  /// A closure that reads a value from the bytes of an earlier version of the content.
  public typealias Migration = @Sendable (_ bytes: [UInt8], _ version: Int) throws -> Value

  init(
    name: String, policy: Policy, store: Store, codec: any Codec<Value>,
    admission: Admission<Value>, migration: Migration?, flights: FlightTable<Value>,
    kind: ResidentKind
  ) {
    self.name = name
    sharedPolicy = SharedPolicy(policy)
    self.store = store
    self.codec = codec
    self.admission = admission
    self.migration = migration
    self.flights = flights
    self.kind = kind
    isPlain = Self.isPlain(policy, admission)
  }

  private static func isPlain(_ policy: Policy, _ admission: Admission<Value>) -> Bool {
    admission.rule == nil && policy.acceptsVariant == nil && policy.hardEnd == nil
      && policy.maximumAge == nil
  }

  /// The committed changes of the collection, or of one key, as ``Store/changes(buffering:)``.
  ///
  /// The changes come from this store and from other stores on its file.
  public func changes(of key: String? = nil, buffering limit: Int = 1024) -> AsyncStream<Change> {
    store.changes(collection: name, key: key, buffering: limit)
  }

  /// The version of the program's own content.
  @usableFromInline var contentVersion: Int64 { kind.contentVersion }

  /// A record of the collection that is to be read.
  func wanted(_ key: String) -> Store.Wanted {
    Store.Wanted(key: key, kind: kind, migrates: migration != nil)
  }

  /// Refuses a key that cannot be stored.
  func check(_ key: String, _ operation: StoreOperation) throws(StoreError) {
    guard (1...1024).contains(key.utf8.count) else { throw error(.invalidKey, operation, key) }
  }

  /// Refuses a policy with a number outside its range.
  func check(_ policy: Policy, _ operation: StoreOperation) throws(StoreError) {
    if let problem = policy.numbers.problem {
      throw error(.invalidArgument("a policy's \(problem)"), operation, nil)
    }
  }

  /// The first key that is equal to an earlier key as text, but has other bytes; `nil` when there is none.
  ///
  /// An answer by key could hold only one of the two.
  func ambiguousKey(in keys: [String]) -> String? {
    var seen: [String: String] = [:]
    return keys.first { key in
      let first = seen.updateValue(key, forKey: key)
      return first.map { !$0.hasSameBytes(as: key) } ?? false
    }
  }

  func ambiguityError(_ operation: StoreOperation, _ key: String) -> StoreError {
    error(
      .invalidArgument(
        "two keys differ in bytes but are the same text (composed and decomposed); ask for them one "
          + "by one"), operation, key)
  }

  func error(_ code: StoreError.Code, _ operation: StoreOperation, _ key: String?) -> StoreError {
    StoreError(code, operation, collection: name, key: key, path: store.path)
  }

  /// The admission to the collection's source.
  func admission(_ policy: Policy) -> SourceAdmission {
    SourceAdmission(store: store, collection: name, policy: policy)
  }
}

extension RecordCollection {
  /// A record in memory, and the gate's decision on it; `nil` when the file must be read.
  ///
  /// Generic code is left to the caller, where it is specialised for the type of the value.
  @inlinable
  func hit(_ key: String, _ policy: Policy?) -> MemoryHit? {
    store.hit(key, kind, policy.map(SharedPolicy.init) ?? sharedPolicy)
  }

  /// The answer of a get from memory only: a copy that may be served, and needs no background refresh.
  @inlinable
  func answer(_ key: String, _ policy: Policy?) -> Answer<Value>? {
    guard let hit = answeringHit(key, policy) else { return nil }
    // Residents of one kind have values of one type.
    let value = unsafe unsafeDowncast(hit.box, to: ValueBox<Value>.self).value
    guard isPlain || refusal(of: value) == nil else { return nil }
    store.note(hit)
    let decision = hit.decision
    return Answer(
      value: value, key: key, freshness: decision.outcome == .fresh ? .fresh : .staleOffline,
      lastUpdate: decision.lastUpdate, age: decision.age, expiry: decision.expiry,
      source: hit.origin?.source, contentType: hit.origin?.contentType, decision: decision,
      fetchFailure: nil, storeFailure: nil, needsRefresh: false)
  }

  /// The parts of ``answer(_:_:)`` that do not depend on the type of the value.
  @inlinable
  func answeringHit(_ key: String, _ policy: Policy?) -> MemoryHit? {
    store.answeringHit(key, kind, policy.map(SharedPolicy.init) ?? sharedPolicy)
  }
}
