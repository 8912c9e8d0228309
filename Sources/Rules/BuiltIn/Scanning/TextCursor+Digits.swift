extension TextCursor {
  /// Takes ASCII digits, any two of which one of the separators may separate, and returns their
  /// number; a separator at the end is not taken.
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
}
