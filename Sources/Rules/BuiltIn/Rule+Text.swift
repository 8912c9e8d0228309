extension Rule where Value == String {
  /// Accepts a text that is not empty.
  public static var notEmpty: Rule { Rule(code: "empty") { !$0.isEmpty } }

  /// Accepts the empty text.
  public static var empty: Rule { Rule(code: "not-empty", \.isEmpty) }

  /// Accepts a text with a visible character in it.
  public static var notBlank: Rule { notBlank(.invisible) }

  /// Accepts a text without visible characters, also the empty text.
  public static var blank: Rule { blank(.invisible) }

  /// Accepts a text with a character other than these blanks.
  public static func notBlank(_ blanks: Blanks) -> Rule {
    Rule(code: "blank") { !blanks.make(up: $0) }
  }

  /// Accepts a text of only these blanks, also the empty text.
  public static func blank(_ blanks: Blanks) -> Rule {
    Rule(code: "not-blank") { blanks.make(up: $0) }
  }

  /// Accepts a text of one line, without any line break of Unicode.
  public static var singleLine: Rule {
    Rule(code: "several-lines") { text in
      !text.unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
      }
    }
  }

  /// Accepts a text without deceptive characters. It refuses control characters except tab and line breaks,
  /// characters without width, and characters that change the direction of writing. It refuses joiners too, so it
  /// does not suit emoji families or scripts that need joiners.
  public static var noHiddenCharacters: Rule {
    Rule(code: "hidden-character") { text in
      text.unicodeScalars.allSatisfy { scalar in
        scalar.isVisible || scalar.properties.isWhitespace
      }
    }
  }

  /// Accepts a text in which `part` occurs, compared as readers do (é is é in every composition).
  public static func contains(_ part: String) -> Rule {
    Rule(code: "does-not-contain", parameters: ["part": .text(part)]) { $0.contains(part) }
  }

  /// Accepts a text that begins with `prefix`.
  public static func hasPrefix(_ prefix: String) -> Rule {
    Rule(code: "wrong-beginning", parameters: ["prefix": .text(prefix)]) { $0.hasPrefix(prefix) }
  }

  /// Accepts a text that ends with `suffix`.
  public static func hasSuffix(_ suffix: String) -> Rule {
    Rule(code: "wrong-end", parameters: ["suffix": .text(suffix)]) { $0.hasSuffix(suffix) }
  }

  /// Accepts a text with a decimal digit of any script in it.
  public static var containsDigit: Rule {
    containing("no-digit") { $0.properties.generalCategory == .decimalNumber }
  }

  /// Accepts a text with an upper-case letter of any script in it.
  public static var containsUppercase: Rule {
    containing("no-uppercase", \.properties.isUppercase)
  }

  /// Accepts a text with a lower-case letter of any script in it.
  public static var containsLowercase: Rule {
    containing("no-lowercase", \.properties.isLowercase)
  }

  /// Accepts a text with a visible character that is neither letter, digit nor mark, such as punctuation or a symbol.
  public static var containsSpecialCharacter: Rule {
    containing("no-special-character") { scalar in
      switch scalar.properties.generalCategory {
      case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
        .modifierSymbol, .otherSymbol:
        true
      default: false
      }
    }
  }

  /// Accepts a text of only ASCII letters, also the empty text.
  public static var onlyLetters: Rule { made(of: \.isASCIILetter, "not-only-letters") }

  /// Accepts a text of only ASCII digits, also the empty text.
  public static var onlyDigits: Rule { made(of: \.isASCIIDigit, "not-only-digits") }

  /// Accepts a text of only ASCII letters and digits, also the empty text.
  public static var onlyLettersAndDigits: Rule {
    made(of: \.isASCIILetterOrDigit, "not-only-letters-and-digits")
  }

  /// Accepts a text of only ASCII characters, also the empty text.
  public static var onlyASCII: Rule { made(of: \.isASCII, "not-only-ascii") }

  private static func containing(
    _ code: String, _ belongs: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> Rule {
    Rule(code: code) { $0.unicodeScalars.contains(where: belongs) }
  }

  private static func made(
    of belongs: @escaping @Sendable (Unicode.Scalar) -> Bool, _ code: String
  ) -> Rule {
    Rule(code: code) { $0.unicodeScalars.allSatisfy(belongs) }
  }

  /// Accepts a text of at least so many units.
  public static func length(min: Int, in unit: LengthUnit = .graphemes) -> Rule {
    Rule(code: "too-short", parameters: ["min": .integer(min), "unit": .text(unit.rawValue)]) {
      unit.hasLength($0, ofAtLeast: min)
    }
  }

  /// Accepts a text of at most so many units.
  public static func length(max: Int, in unit: LengthUnit = .graphemes) -> Rule {
    Rule(code: "too-long", parameters: ["max": .integer(max), "unit": .text(unit.rawValue)]) {
      $0.utf8.count <= max || !unit.hasLength($0, ofAtLeast: max + 1)
    }
  }

  /// Accepts a text of at least `min` and at most `max` units.
  public static func length(min: Int, max: Int, in unit: LengthUnit = .graphemes) -> Rule {
    .all(length(min: min, in: unit), length(max: max, in: unit))
  }

  /// Accepts a text of a length in the range.
  public static func length(_ range: ClosedRange<Int>, in unit: LengthUnit = .graphemes) -> Rule {
    length(min: range.lowerBound, max: range.upperBound, in: unit)
  }

  /// Accepts a text of a length in the range, its upper bound excluded.
  public static func length(_ range: Range<Int>, in unit: LengthUnit = .graphemes) -> Rule {
    length(min: range.lowerBound, max: max(range.upperBound, .min + 1) - 1, in: unit)
  }

  /// Accepts a text of at least so many units.
  public static func length(
    _ range: PartialRangeFrom<Int>, in unit: LengthUnit = .graphemes
  ) -> Rule {
    length(min: range.lowerBound, in: unit)
  }

  /// Accepts a text of at most so many units.
  public static func length(
    _ range: PartialRangeThrough<Int>, in unit: LengthUnit = .graphemes
  ) -> Rule {
    length(max: range.upperBound, in: unit)
  }

  /// Accepts a text of exactly so many units.
  public static func length(exactly count: Int, in unit: LengthUnit = .graphemes) -> Rule {
    Rule(
      code: "wrong-length",
      parameters: ["length": .integer(count), "unit": .text(unit.rawValue)]
    ) {
      count >= 0 && unit.hasLength($0, ofAtLeast: count)
        && ($0.utf8.count == count || !unit.hasLength($0, ofAtLeast: count + 1))
    }
  }
}

/// The characters that count as blank.
public enum Blanks: String, Sendable, Hashable, Codable, CaseIterable {
  /// Invisible characters: white space, line breaks, control characters, and characters without
  /// width, such as the zero-width space.
  case invisible
  /// White space within a line: spaces of every width and tabs. A line break counts as content.
  case horizontal

  /// True when the text has no other characters.
  func make(up text: String) -> Bool {
    text.unicodeScalars.allSatisfy { includes($0) }
  }

  private func includes(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .horizontal: scalar.isHorizontalWhitespace
    case .invisible: !scalar.isVisible && !scalar.isUnknown
    }
  }
}

extension Unicode.Scalar {
  /// True for private and unassigned scalars: they may be visible.
  fileprivate var isUnknown: Bool {
    guard !isASCII else { return false }
    return switch properties.generalCategory {
    case .privateUse: true
    case .unassigned: !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }
}

/// The unit in which the length of a text is counted.
public enum LengthUnit: String, Sendable, Hashable, Codable, CaseIterable {
  /// Characters as readers see them (Unicode's extended grapheme clusters). CR LF is one character, and so is a
  /// family emoji, and é in every composition.
  case graphemes
  /// Unicode scalar values.
  case scalars
  /// Bytes of its UTF-8 form.
  case utf8
  /// Units of its UTF-16 form, as many databases and other languages count.
  case utf16

  /// The length of a text. Takes time proportional to the text, except for ``utf8``.
  public func length(of text: String) -> Int {
    switch self {
    case .graphemes: text.count
    case .scalars: text.unicodeScalars.count
    case .utf8: text.utf8.count
    case .utf16: text.utf16.count
    }
  }

  /// True when the text has at least so many units. Stops counting there, so a limit is as quick for a huge text as
  /// for a short one.
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
