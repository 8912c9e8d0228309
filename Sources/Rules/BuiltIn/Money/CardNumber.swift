/// The facts read from a payment card's number.
struct CardNumber {
  /// The number of its digits.
  let count: Int
  /// Its first six digits as a number, padded with zeros when there are fewer.
  let prefix: Int
  /// True when its check digit is right (ISO/IEC 7812-1, annex B).
  let keepsLuhn: Bool

  /// Reads ASCII digits, between any two of which one space or hyphen may stand if `separators`;
  /// `nil` for anything else.
  init?(_ text: String, separators: Bool) {
    var cursor = TextCursor(text)
    var (prefix, seen) = (0, 0)
    // The digits to double depend on their number, so both sums are kept.
    var (sum, otherSum) = (0, 0)
    let count = cursor.takeDigits(separatedBy: separators ? " -" : "") { digit in
      if seen < 6 {
        prefix = prefix * 10 + digit
        seen += 1
      }
      let doubled = digit < 5 ? digit * 2 : digit * 2 - 9
      (sum, otherSum) = ((otherSum + digit) % 10, (sum + doubled) % 10)
    }
    guard cursor.isAtEnd, count > 0 else { return nil }
    while seen < 6 {
      prefix *= 10
      seen += 1
    }
    self.count = count
    self.prefix = prefix
    keepsLuhn = sum == 0
  }

  var type: CardType? { CardType(prefix: prefix) }
}
