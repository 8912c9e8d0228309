/// What one character is to a pattern.
public enum PatternUnit: String, Sendable, Hashable, Codable, CaseIterable {
  /// What a reader takes for one: `.` takes a whole family emoji and CR LF is one line break.
  case graphemes
  /// One Unicode scalar.
  case scalars
}
