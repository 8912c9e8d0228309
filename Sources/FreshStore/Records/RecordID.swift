/// The identity of a record in its store, compared by bytes.
package struct RecordID: Hashable, Sendable {
  package let collection: String
  package let key: String

  package init(_ collection: String, _ key: String) {
    self.collection = collection
    self.key = key
  }

  package static func == (left: RecordID, right: RecordID) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.collection.hasSameBytes(as: right.collection)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ExactName(collection))
    hasher.combine(ExactName(key))
  }
}
