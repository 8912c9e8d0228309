/// The records that a transaction may have changed.
struct Touched: Sendable {
  /// The keys, by collection.
  private(set) var keys: [ExactName: [String]] = [:]

  init() {}

  init(_ collection: String, _ keys: [String]) {
    self.keys[collection] = keys
  }

  mutating func add(_ key: String, of collection: String) {
    keys[collection, default: []].append(key)
  }
}
