/// The two measures of a cache, or of a part of it.
struct EvictionSize: Sendable, Equatable {
  /// How many entries are resident.
  var entries: Int
  /// Their total bytes.
  var bytes: Int

  init(entries: Int, bytes: Int) {
    self.entries = entries
    self.bytes = bytes
  }
}
