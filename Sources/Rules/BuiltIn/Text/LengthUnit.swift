/// The unit in which the length of a text is counted.
public enum LengthUnit: String, Sendable, Hashable, Codable, CaseIterable {
  /// Characters as readers see them (Unicode's extended grapheme clusters). CR LF is one, a family
  /// emoji is one, é is one however it is composed.
  case graphemes
  /// Unicode scalar values.
  case scalars
  /// Bytes of its UTF-8 form.
  case utf8
  /// Units of its UTF-16 form, as many databases and other languages count.
  case utf16

  /// The length of a text; proportional to it, but for ``utf8``.
  public func length(of text: String) -> Int {
    switch self {
    case .graphemes: text.count
    case .scalars: text.unicodeScalars.count
    case .utf8: text.utf8.count
    case .utf16: text.utf16.count
    }
  }

  /// True when the text has at least so many units. Stops counting there, so a limit on a huge text
  /// is as quick as on a short one.
  public func hasLength(_ text: String, ofAtLeast count: Int) -> Bool {
    guard count > 0 else { return true }
    // No unit is shorter than a byte, and the number of bytes is known.
    guard text.utf8.count >= count else { return false }
    return switch self {
    case .graphemes: Self.reaches(text, count)
    case .scalars: Self.reaches(text.unicodeScalars, count)
    case .utf8: true
    case .utf16: Self.reaches(text.utf16, count)
    }
  }

  private static func reaches(_ units: some Collection, _ count: Int) -> Bool {
    units.index(units.startIndex, offsetBy: count, limitedBy: units.endIndex) != nil
  }
}
