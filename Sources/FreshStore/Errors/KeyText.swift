internal import Strategies

/// Keys in messages and logs.
package enum KeyText {
  /// A key without secrets: a URL loses its user information and its query, which often carry them.
  package static func shown(_ key: String) -> String {
    // By code points: a combining mark after a delimiter would form one character with it.
    let text = key.unicodeScalars
    guard let mark = text.firstRange(of: "://".unicodeScalars), isScheme(text[..<mark.lowerBound])
    else { return key }
    let rest = text[mark.upperBound...]
    let path = rest.prefix { $0 != "?" }
    let authority = path.prefix { $0 != "/" && $0 != "#" }
    let user = authority.lastIndex(of: "@").map { "…" + String(path[$0...]) } ?? String(path)
    return String(text[..<mark.upperBound]) + user + (path.endIndex == rest.endIndex ? "" : "?…")
  }

  /// Text that may precede `://`: a scheme (RFC 3986 section 3.1), or several as in `jdbc:mysql`.
  private static func isScheme(_ text: Substring.UnicodeScalarView) -> Bool {
    !text.isEmpty
      && text.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".", ":": true
        default: false
        }
      }
  }
}

/// Control characters: a terminal, or a program that reads a text by lines, acts on them and does not show them.
///
/// They are the characters of escape sequences in one byte (C0) and in two (C1), line and paragraph separators, and
/// the characters that change the direction of writing.
package enum ControlCharacters {
  /// True for a control character, line breaks and tabs included.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar {
    // These only join letters and pictures.
    case "\u{200C}", "\u{200D}": return false
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return true
      default: return false
      }
    }
  }
}

/// The check of a group of numbers: each has its range, and the first one outside its range is named in words.
/// A duration ends at `Duration.unlimited`, so sums of durations and moments cannot overflow.
package struct NumberCheck {
  /// The first number outside its range, in words; `nil` when there is none.
  package private(set) var problem: String?

  package init() {}

  /// Checks a number; `nil` is in range.
  package mutating func require<Number: Comparable>(
    _ name: StaticString, _ value: Number?, from least: Number, to most: Number
  ) {
    // NaN compares as false with both ends.
    guard problem == nil, let value, !(value >= least && value <= most) else { return }
    problem =
      "\(name) is \(Self.text(value)); it ranges from \(Self.text(least)) to \(Self.text(most))"
  }

  /// Checks a whole number without an upper end; `nil` is in range.
  package mutating func require(_ name: StaticString, _ value: Int?, from least: Int) {
    guard problem == nil, let value, value < least else { return }
    problem = "\(name) is \(value); it is at least \(least)"
  }

  /// Checks a duration; `nil` is in range.
  package mutating func require(
    _ name: StaticString, _ value: Duration?, from shortest: Duration = .zero
  ) {
    require(name, value, from: shortest, to: .unlimited)
  }

  /// Adds the problem of a part.
  package mutating func require(_ part: NumberCheck) { problem = problem ?? part.problem }

  private static func text<Number>(_ value: Number) -> String {
    (value as? Duration).map(\.brief) ?? "\(value)"
  }
}
