/// The 48 bytes at the head of the log's index (https://sqlite.org/walformat.html, section 2.1).
/// Every commit and every restart of the log changes them: equal bytes mean that nothing was
/// committed.
struct LogHeader: Sendable, Equatable {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  init(_ words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// Counts commits (`iChange`).
  var changes: UInt32 { UInt32(truncatingIfNeeded: words.1) }

  static func == (one: LogHeader, other: LogHeader) -> Bool {
    let difference =
      (one.words.0 ^ other.words.0) | (one.words.1 ^ other.words.1)
      | (one.words.2 ^ other.words.2) | (one.words.3 ^ other.words.3)
      | (one.words.4 ^ other.words.4) | (one.words.5 ^ other.words.5)
    return difference == 0
  }
}
