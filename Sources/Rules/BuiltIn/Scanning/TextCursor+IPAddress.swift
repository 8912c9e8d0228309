extension TextCursor {
  /// Takes four numbers up to 255 joined by dots, without leading zeros, which some readers take
  /// for octal (RFC 3986, section 3.2.2).
  mutating func takeIPv4() -> Bool {
    for part in 0..<4 {
      if part > 0, !take(".") { return false }
      guard let first = take(where: \.isASCIIDigit) else { return false }
      var value = first.digitValue
      while let digit = take(where: \.isASCIIDigit) {
        value = value * 10 + digit.digitValue
        if first == "0" || value > 255 { return false }
      }
    }
    return true
  }

  /// Takes an address as RFC 4291, section 2.2, writes it: eight groups of up to four hexadecimal
  /// digits, `::` for a run of zeros, the last two groups as IPv4; no zone.
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
    guard take("/"), let first = take(where: \.isASCIIDigit) else { return false }
    var value = first.digitValue
    while let digit = take(where: \.isASCIIDigit) {
      value = value * 10 + digit.digitValue
      if first == "0" || value > limit { return false }
    }
    return true
  }
}
