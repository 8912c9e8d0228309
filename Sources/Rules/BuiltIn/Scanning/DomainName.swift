/// The facts read from a domain name.
struct DomainName {
  /// The number of its labels.
  var labels = 0
  /// The length of its last label, in scalars.
  var lastLength = 0
  /// True when its last label has only ASCII digits.
  var lastIsNumeric = false
  /// True when its last label has only ASCII letters.
  var lastIsLetters = false
}

extension TextCursor {
  /// Takes a domain name; `nil` for any other text. Labels have letters, digits and inner hyphens (RFC 1123,
  /// section 2.1), and at most 63 octets. The name has at most 253 octets (RFC 1035, section 2.3.4).
  ///
  /// - Parameters:
  ///   - international: Whether labels may have letters of any script. The length of the ASCII form counts (RFC
  ///     3492). No mapping is applied.
  ///   - comments: Whether comments in parentheses are allowed around the labels (RFC 5322).
  mutating func takeDomainName(international: Bool, comments: Bool = false) -> DomainName? {
    var name = DomainName()
    var octets = -1
    repeat {
      guard !comments || skipComments(), let length = takeLabel(international, &name),
        !comments || skipComments()
      else { return nil }
      name.labels += 1
      octets += length + 1
    } while take(".")
    return octets <= 253 ? name : nil
  }

  /// Takes a label and returns its length in octets.
  private mutating func takeLabel(_ international: Bool, _ name: inout DomainName) -> Int? {
    let start = self
    var (count, digits, letters) = (0, 0, 0)
    var last: Unicode.Scalar = "-"
    while let scalar = next {
      if scalar.isASCIIDigit {
        digits += 1
      } else if scalar.isASCIILetter {
        letters += 1
      } else if scalar != "-", !(international && scalar.isInternationalLabelPart) {
        break
      }
      guard count < 63, count > 0 || (scalar != "-" && !scalar.isMark) else { return nil }
      last = scalar
      count += 1
      advance()
    }
    guard count > 0, last != "-" else { return nil }
    name.lastLength = count
    name.lastIsNumeric = digits == count
    name.lastIsLetters = letters == count
    guard bytes - start.bytes > count else { return count }
    let length = 4 + Punycode.length(of: start.scalars(count))
    return length <= 63 ? length : nil
  }

  private func scalars(_ count: Int) -> [UInt32] {
    var ahead = self
    return (0..<count).compactMap { _ in
      let scalar = ahead.next?.value
      ahead.advance()
      return scalar
    }
  }

  /// Skips comments in parentheses, which nest and hold printable ASCII characters (RFC 5322, section 3.2.2). False
  /// when a comment does not end or holds another character.
  mutating func skipComments() -> Bool {
    var depth = 0
    while let scalar = next {
      if scalar == "(" {
        depth += 1
      } else if depth == 0 {
        return true
      } else if scalar == ")" {
        depth -= 1
      } else if scalar == "\\" {
        advance()
        guard next?.isPrintableASCII == true else { return false }
      } else if !scalar.isPrintableASCII {
        return false
      }
      advance()
    }
    return depth == 0
  }
}

extension Unicode.Scalar {
  /// True for a visible ASCII character and the space.
  var isPrintableASCII: Bool { value >= 0x20 && value < 0x7F }
}

/// The ASCII form of international labels (RFC 3492); its parameters are those of section 5.
enum Punycode {
  /// The length of the ASCII form of these scalars without the prefix `xn--`; at least one scalar is not ASCII.
  /// Takes time quadratic in the number of scalars, which is at most 63 in a label.
  static func length(of scalars: [UInt32]) -> Int {
    let basic = scalars.count { $0 < 0x80 }
    var length = basic == 0 ? 0 : basic + 1
    var (handled, delta, bias, floor) = (basic, 0, 72, UInt32(0x80))
    while let least = scalars.lazy.filter({ $0 >= floor }).min() {
      delta += Int(least - floor) * (handled + 1)
      floor = least
      for scalar in scalars {
        if scalar < floor { delta += 1 }
        guard scalar == floor else { continue }
        length += digits(of: delta, bias)
        bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      floor += 1
    }
    return length
  }

  private static func digits(of delta: Int, _ bias: Int) -> Int {
    var (rest, position, count) = (delta, 36, 1)
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { return count }
      rest = (rest - threshold) / (36 - threshold)
      position += 36
      count += 1
    }
  }

  private static func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / points
    var position = 0
    while delta > 455 {
      delta /= 35
      position += 36
    }
    return position + 36 * delta / (delta + 38)
  }
}
