/// The records that a transaction may have changed.
struct Touched: Sendable {
  let collection: String
  let keys: [String]

  init(_ collection: String, _ keys: [String]) {
    self.collection = collection
    self.keys = keys
  }
}
