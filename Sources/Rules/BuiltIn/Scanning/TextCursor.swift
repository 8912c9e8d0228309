/// A place in a text, read scalar by scalar.
///
/// The formats of this module are read through it in one pass from front to back. None of them allocates, and each
/// takes linear time. A copy of a cursor is a place to return to.
struct TextCursor {
  private var rest: String.UnicodeScalarView.Iterator
  /// The scalar at this place; `nil` at the end.
  private(set) var next: Unicode.Scalar?
  /// The number of bytes of UTF-8 before this place.
  private(set) var bytes = 0

  init(_ text: String) {
    rest = text.unicodeScalars.makeIterator()
    next = rest.next()
  }

  var isAtEnd: Bool { next == nil }

  mutating func advance() {
    guard let scalar = next else { return }
    bytes += UTF8.width(scalar)
    next = rest.next()
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  mutating func take(where accepts: (Unicode.Scalar) -> Bool) -> Unicode.Scalar? {
    guard let scalar = next, accepts(scalar) else { return nil }
    advance()
    return scalar
  }

  /// Takes at most `limit` accepted scalars and returns their number.
  mutating func take(
    upTo limit: Int = .max, while accepts: (Unicode.Scalar) -> Bool
  ) -> Int {
    var count = 0
    while count < limit, let scalar = next, accepts(scalar) {
      advance()
      count += 1
    }
    return count
  }

  /// Takes exactly so many ASCII digits and returns their value.
  mutating func takeNumber(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = take(where: \.isASCIIDigit) else { return nil }
      value = value * 10 + digit.digitValue
    }
    return value
  }

  /// Takes a word in any case of its ASCII letters, or nothing; `word` is lower-case.
  mutating func take(word: String) -> Bool {
    var ahead = self
    for scalar in word.unicodeScalars {
      guard let next = ahead.next, next.lowercasedASCII == scalar else { return false }
      ahead.advance()
    }
    self = ahead
    return true
  }

  /// Takes ASCII digits, with at most one of the separators between two digits, and returns their number. A
  /// separator at the end is not taken.
  mutating func takeDigits(separatedBy separators: String, _ use: (Int) -> Void) -> Int {
    var count = 0
    while true {
      var ahead = self
      if count > 0, let next = ahead.next, separators.unicodeScalars.contains(next) {
        ahead.advance()
      }
      guard let digit = ahead.take(where: \.isASCIIDigit) else { return count }
      self = ahead
      use(digit.digitValue)
      count += 1
    }
  }

  /// Takes four numbers up to 255 joined by dots. No leading zeros, because some readers take them for octal (RFC
  /// 3986, section 3.2.2).
  mutating func takeIPv4() -> Bool {
    for part in 0..<4 {
      guard part == 0 || take("."), takeNumber(upTo: 255) else { return false }
    }
    return true
  }

  /// Takes an address of RFC 4291, section 2.2, without a zone. It has eight groups of up to four hexadecimal
  /// digits. `::` is a run of zeros, and the last two groups may be written as IPv4.
  mutating func takeIPv6() -> Bool {
    var groups = 0
    var hasGap = false
    if take(":") {
      guard take(":") else { return false }
      hasGap = true
    }
    while groups < 8 {
      let start = self
      guard take(upTo: 4, while: \.isHexadecimalDigit) > 0 else { break }
      if next == "." {
        self = start
        guard takeIPv4() else { return false }
        groups += 2
        break
      }
      groups += 1
      guard take(":") else { break }
      if take(":") {
        guard !hasGap else { return false }
        hasGap = true
      } else if next?.isHexadecimalDigit != true {
        return false
      }
    }
    return hasGap ? groups < 8 : groups == 8
  }

  /// Takes `/` and a length of at most `limit` bits, without leading zeros.
  mutating func takePrefixLength(upTo limit: Int) -> Bool {
    take("/") && takeNumber(upTo: limit)
  }

  /// Takes a number of at most `limit`, without leading zeros.
  private mutating func takeNumber(upTo limit: Int) -> Bool {
    guard let first = take(where: \.isASCIIDigit) else { return false }
    var value = first.digitValue
    while let digit = take(where: \.isASCIIDigit) {
      value = value * 10 + digit.digitValue
      if first == "0" || value > limit { return false }
    }
    return true
  }
}

extension Unicode.Scalar {
  var isASCIIDigit: Bool { value &- 0x30 < 10 }
  var isASCIIUppercase: Bool { value &- 0x41 < 26 }
  var isASCIILetter: Bool { (value | 0x20) &- 0x61 < 26 }
  var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
  var isHexadecimalDigit: Bool { isASCIIDigit || (value | 0x20) &- 0x61 < 6 }

  /// The value of an ASCII digit.
  var digitValue: Int { Int(value) - 0x30 }

  /// The lower-case form of an ASCII letter; any other scalar unchanged.
  var lowercasedASCII: Unicode.Scalar {
    isASCIIUppercase ? Unicode.Scalar(UInt8(value) | 0x20) : self
  }

  /// True for a scalar with a visible mark, and for a scalar that combines with it. False for a control or format
  /// character, for white space, for a scalar that a renderer may ignore, and for an unassigned one.
  var isVisible: Bool {
    if isASCII { return value > 0x20 && value < 0x7F }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }

  /// True for a non-ASCII scalar that a label of an international domain name may have: a letter, a digit or a
  /// mark. These are the classes of RFC 5892, without its exceptions for joiners, which are invisible.
  var isInternationalLabelPart: Bool {
    guard !isASCII else { return false }
    return switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  var isMark: Bool {
    guard !isASCII else { return false }
    return switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// True for white space that does not end a line, such as a space, a tab or a no-break space.
  var isHorizontalWhitespace: Bool {
    if isASCII { return value == 0x20 || value == 0x09 }
    return properties.generalCategory == .spaceSeparator
  }
}
