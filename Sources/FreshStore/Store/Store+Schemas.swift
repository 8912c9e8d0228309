public import Rules

/// Collections with a schema that normalises and checks values.
///
/// On the way in, by `put` or by a fetch, the steps of the schema run first (default, trim,
/// filters), then its rules are checked; the stored value, and the answer of a get, is the result
/// of the steps. A stored value is only checked before it is served: one that breaks rules made
/// stricter since is fetched again. In all of them the scenario must be one of the schema's;
/// otherwise `invalidArgument` is thrown.
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

  /// A collection of JSON text that a schema, itself data, checks. Text that the schema's steps do
  /// not change is stored byte for byte; other text is rewritten, on one line.
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
