public import Rules

extension Store {
  /// A collection of `Codable` values, stored as JSON; its local writes have the media type
  /// `application/json` unless they state another (``WriteOptions/contentType``).
  ///
  /// The call is cheap: make it where the collection is needed. All uses of one name should agree on the type.
  ///
  /// - Parameters:
  ///   - name: 1 to 255 bytes of UTF-8.
  ///   - policy: The policy of its records unless a call passes another.
  ///   - rule: The rule for a value to be stored, and to be served.
  ///   - contentVersion: The version of the values' layout, which grows with each change of it. A record
  ///     stored under another version is not decoded: it is fetched again, and until then it is stale and
  ///     cannot be served. A local write of another version waits, and is not sent.
  ///   - migration: Reads a value from the bytes of an earlier version. The records are then served, and the local
  ///     writes sent; a patch is sent as a replacement by its result. It is called at each read until the record is
  ///     stored anew. An error that it throws makes the value unusable, and parks a local write.
  /// - Throws: `invalidCollection`.
  public func collection<Value: Codable & Sendable>(
    _ name: String, of type: Value.Type = Value.self, policy: Policy = .cacheFirst,
    admitting rule: Rule<Value>? = nil, contentVersion: Int = 0,
    migrating migration: RecordCollection<Value>.Migration? = nil
  ) throws(StoreError) -> RecordCollection<Value> {
    try collection(
      name, codec: JSONCodec<Value>(), policy: policy, admitting: rule,
      contentVersion: contentVersion, migrating: migration)
  }

  /// A collection of bytes.
  public func bytes(
    _ name: String, policy: Policy = .cacheFirst, admitting rule: Rule<[UInt8]>? = nil,
    contentVersion: Int = 0
  ) throws(StoreError) -> RecordCollection<[UInt8]> {
    try collection(
      name, codec: BytesCodec(), policy: policy, admitting: rule, contentVersion: contentVersion)
  }

  /// A collection whose values pass through `codec`.
  public func collection<Value: Sendable>(
    _ name: String, codec: some Codec<Value>, policy: Policy = .cacheFirst,
    admitting rule: Rule<Value>? = nil, contentVersion: Int = 0,
    migrating migration: RecordCollection<Value>.Migration? = nil
  ) throws(StoreError) -> RecordCollection<Value> {
    guard (1...255).contains(name.utf8.count) else {
      throw StoreError(.invalidCollection, .open, collection: name, path: path)
    }
    let collection = RecordCollection(
      name: name, policy: policy, store: self, codec: codec,
      admission: Admission(rule: rule), migration: migration,
      flights: flights(of: name, Value.self),
      kind: storage.database.memory.kind(
        of: name, codec, contentVersion: Int64(contentVersion)))
    try collection.check(policy, .open)
    return collection
  }
}

/// Collections with a schema that normalises and checks values.
///
/// Before a value is stored, by `put` or by a fetch, the steps of the schema run (default, trim, filters), then its
/// rules are checked. The stored value, and the answer of a get, is the result of the steps. Before a stored value is
/// served it is only checked: a value that breaks rules made stricter since is fetched again. A scenario that the
/// schema does not have makes all of them throw `invalidArgument`.
extension Store {
  /// A collection of `Codable` values, stored as JSON, that a schema checks.
  public func collection<Value: Codable & Sendable>(
    _ name: String, of type: Value.Type = Value.self, policy: Policy = .cacheFirst,
    admitting schema: Rules.Schema<Value>, in scenario: Scenario = .default, contentVersion: Int = 0
  ) throws(StoreError) -> RecordCollection<Value> {
    try collection(
      name, codec: JSONCodec<Value>(), policy: policy, admitting: schema, in: scenario,
      contentVersion: contentVersion)
  }

  /// A collection whose values pass through `codec` and that a schema checks.
  public func collection<Value: Sendable>(
    _ name: String, codec: some Codec<Value>, policy: Policy = .cacheFirst,
    admitting schema: Rules.Schema<Value>, in scenario: Scenario = .default, contentVersion: Int = 0
  ) throws(StoreError) -> RecordCollection<Value> {
    try check(scenario, isAmong: schema.scenarios, collection: name)
    var collection = try collection(
      name, codec: codec, policy: policy, contentVersion: contentVersion)
    collection.admission = Admission(schema, in: scenario)
    return collection
  }

  /// A collection of JSON text that a schema, which is data itself, checks.
  /// Text that the schema's steps do not change is stored byte for byte. Other text is rewritten, on one line.
  public func bytes(
    _ name: String, codec: some Codec<[UInt8]> = BytesCodec(), policy: Policy = .cacheFirst,
    admitting schema: DocumentSchema, in scenario: Scenario = .default, contentVersion: Int = 0
  ) throws(StoreError) -> RecordCollection<[UInt8]> {
    try check(scenario, isAmong: schema.scenarios, collection: name)
    var collection = try collection(
      name, codec: codec, policy: policy, contentVersion: contentVersion)
    collection.admission = Admission(schema, in: scenario)
    return collection
  }

  private func check(
    _ scenario: Scenario, isAmong known: Set<Scenario>, collection: String
  ) throws(StoreError) {
    guard !known.contains(scenario) else { return }
    let names = known.map(\.rawValue).sorted().joined(separator: ", ")
    throw StoreError(
      .invalidArgument(
        "the schema has no scenario \(scenario.rawValue.debugDescription); it has \(names)"),
      .open, collection: collection, path: path)
  }
}
