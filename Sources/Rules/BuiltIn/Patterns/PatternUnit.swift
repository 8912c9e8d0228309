/// The unit that a pattern takes as one character.
public enum PatternUnit: String, Sendable, Hashable, Codable, CaseIterable {
  /// A grapheme cluster: `.` takes a whole family emoji and CR LF is one line break.
  case graphemes
  /// One Unicode scalar.
  case scalars
}
