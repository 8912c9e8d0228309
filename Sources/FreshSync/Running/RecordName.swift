/// Names a record among those of all collections, byte by byte: two keys that Unicode holds for the
/// same are two.
struct RecordName: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ collection: String, _ key: String) {
    // 0xFF is in no UTF-8 text.
    bytes = Array(collection.utf8) + [0xFF] + Array(key.utf8)
  }
}
