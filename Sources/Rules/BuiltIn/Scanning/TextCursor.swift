/// A place in a text, read scalar by scalar.
///
/// The formats of this module are read through it in one pass from front to back: none of them
/// allocates, and each takes linear time. A copy remembers a place to return to.
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

  /// Takes accepted scalars, up to a number, and returns how many.
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

  /// Takes a word, whatever the case of its ASCII letters, or nothing; `word` is lower-case.
  mutating func take(word: String) -> Bool {
    var ahead = self
    for scalar in word.unicodeScalars {
      guard let next = ahead.next, next.lowercasedASCII == scalar else { return false }
      ahead.advance()
    }
    self = ahead
    return true
  }
}
