/// The records that a transaction may have changed.
package struct Touched: Sendable {
  /// The keys by collection; a collection may occur more than once, but nearly always there is one.
  private(set) var parts: [(collection: ExactName, keys: [String])] = []

  init() {}

  init(_ collection: String, _ keys: [String]) {
    parts = [(ExactName(collection), keys)]
  }

  mutating func add(_ other: Touched) { parts += other.parts }

  mutating func add(_ key: String, of collection: String) {
    guard let last = parts.indices.last, parts[last].collection.text.hasSameBytes(as: collection)
    else { return parts.append((ExactName(collection), [key])) }
    parts[last].keys.append(key)
  }
}
