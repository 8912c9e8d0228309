/// The two measures of a cache, or of a part of it.
struct EvictionSize: Sendable, Equatable {
  /// How many entries are resident.
  var entries: Int
  /// How many bytes they take together.
  var bytes: Int

  init(entries: Int, bytes: Int) {
    self.entries = entries
    self.bytes = bytes
  }
}
