/// Parses a pattern; ``Rule/matches(_:_:_:by:limit:)`` describes the syntax.
struct PatternParser {
  /// Deeper parentheses are refused, because each is a call on the stack.
  private static let deepest = 100
  /// More repetitions are refused, because the program would be as long.
  private static let most = 1000

  private let pattern: String
  private let characters: [Character]
  private var index = 0
  private var depth = 0

  static func parse(
    _ pattern: String, by unit: PatternUnit
  ) throws(PatternError) -> PatternNode {
    guard pattern.utf8.count <= PatternProgram.longest else {
      throw PatternError(pattern: pattern, offset: 0, reason: "the pattern is too long")
    }
    let characters =
      switch unit {
      case .graphemes: Array(pattern)
      case .scalars: pattern.unicodeScalars.map(Character.init)
      }
    var parser = PatternParser(pattern: pattern, characters: characters)
    let node = try parser.takeAlternatives()
    guard parser.next == nil else { throw parser.error("a parenthesis closes nothing") }
    return node
  }

  private var next: Character? { index < characters.count ? characters[index] : nil }

  private func error(_ reason: String) -> PatternError {
    PatternError(pattern: pattern, offset: index, reason: reason)
  }

  private mutating func take(_ character: Character) -> Bool {
    guard next == character else { return false }
    index += 1
    return true
  }

  private mutating func takeAlternatives() throws(PatternError) -> PatternNode {
    var alternatives: [PatternNode] = []
    repeat {
      var parts: [PatternNode] = []
      while let character = next, character != "|", character != ")" {
        parts.append(try takeRepeated())
      }
      alternatives.append(.sequence(parts))
    } while take("|")
    return alternatives.count == 1 ? alternatives[0] : .either(alternatives)
  }

  private mutating func takeRepeated() throws(PatternError) -> PatternNode {
    let node = try takeOne()
    let (least, most): (Int, Int?)
    if take("*") {
      (least, most) = (0, nil)
    } else if take("+") {
      (least, most) = (1, nil)
    } else if take("?") {
      (least, most) = (0, 1)
    } else if take("{") {
      (least, most) = try takeBounds()
    } else {
      return node
    }
    if case .place = node { throw error("a place cannot be repeated") }
    if next == "+" { throw error("possessive repetition is not supported") }
    // Greedy and lazy repetition match the same texts.
    _ = take("?")
    if let next, "*+?{".contains(next) { throw error("a repetition is repeated") }
    return .times(node, least, most)
  }

  private mutating func takeBounds() throws(PatternError) -> (Int, Int?) {
    let least = try takeCount()
    guard take(",") else {
      guard take("}"), let least else { throw error("a number and a brace are expected") }
      return (least, least)
    }
    let most = try takeCount()
    guard take("}") else { throw error("a number or a brace is expected") }
    if let most, most < least ?? 0 { throw error("the bounds are the wrong way round") }
    return (least ?? 0, most)
  }

  private mutating func takeCount() throws(PatternError) -> Int? {
    var count: Int?
    while let digit = next, digit.isASCII, let value = digit.wholeNumberValue {
      index += 1
      count = (count ?? 0) * 10 + value
      guard count ?? 0 <= Self.most else { throw error("at most \(Self.most) repetitions") }
    }
    return count
  }

  private mutating func takeOne() throws(PatternError) -> PatternNode {
    guard let character = next else { throw error("the pattern ends too early") }
    index += 1
    switch character {
    case ".": return .one(PatternTest(items: Self.lineBreaks, isNegated: true))
    case "^": return .place(.start)
    case "$": return .place(.end)
    case "(": return try takeGroup()
    case "[": return .one(try takeSet())
    case "\\": return try takeEscape()
    case "*", "+", "?", "{": throw error("there is nothing to repeat")
    default: return .one(PatternTest(items: [.one(character)]))
    }
  }

  private static let lineBreaks: [PatternTest.Item] = [
    "\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}",
  ].map(PatternTest.Item.one)

  private mutating func takeGroup() throws(PatternError) -> PatternNode {
    depth += 1
    guard depth <= Self.deepest else { throw error("the parentheses are too deep") }
    if take("?") {
      if take("<"), let letter = next, letter.isLetter {
        while let letter = next, letter.isPatternWord { index += 1 }
        guard take(">") else { throw error("a group's name does not end") }
      } else if !take(":") {
        throw error("looking around and options within a pattern are not supported")
      }
    }
    let node = try takeAlternatives()
    guard take(")") else { throw error("a parenthesis is not closed") }
    depth -= 1
    return node
  }

  private mutating func takeEscape() throws(PatternError) -> PatternNode {
    switch next {
    case "b":
      index += 1
      return .place(.wordBoundary)
    case "B":
      index += 1
      return .place(.noWordBoundary)
    case "A":
      index += 1
      return .place(.start)
    case "z":
      index += 1
      return .place(.end)
    default: return .one(PatternTest(items: [try takeEscapedItem()]))
    }
  }

  private mutating func takeEscapedItem() throws(PatternError) -> PatternTest.Item {
    guard let character = next else { throw error("a backslash ends the pattern") }
    index += 1
    switch character {
    case "d", "D": return .digit(character == "d")
    case "w", "W": return .word(character == "w")
    case "s", "S": return .space(character == "s")
    case "p", "P": return try takeCategory(character == "p")
    case "n": return .one("\n")
    case "r": return .one("\r")
    case "t": return .one("\t")
    case "f": return .one("\u{C}")
    case "v": return .one("\u{B}")
    case "0": return .one("\0")
    case "x": return try takeCode(digits: 2)
    case "u": return try takeCode(digits: 4)
    default:
      guard !character.isPatternWord else { throw error("\\\(character) is not supported") }
      return .one(character)
    }
  }

  private mutating func takeCategory(_ isWanted: Bool) throws(PatternError) -> PatternTest.Item {
    guard take("{") else { throw error("a brace is expected") }
    var name = ""
    while let letter = next, letter != "}" {
      name.append(letter)
      index += 1
    }
    guard take("}"), Character.generalCategories.contains(name) else {
      throw error("no general category of Unicode has this name")
    }
    return .category(name, isWanted)
  }

  private mutating func takeCode(digits: Int) throws(PatternError) -> PatternTest.Item {
    var value: UInt32 = 0
    let isBraced = take("{")
    var count = 0
    while count < (isBraced ? 6 : digits), let digit = next, digit.isASCII,
      let nibble = digit.hexDigitValue
    {
      value = value << 4 | UInt32(nibble)
      count += 1
      index += 1
    }
    guard count > 0, isBraced ? take("}") : count == digits, let scalar = Unicode.Scalar(value)
    else { throw error("no scalar has this code") }
    return .one(Character(scalar))
  }

  private mutating func takeSet() throws(PatternError) -> PatternTest {
    var test = PatternTest(isNegated: take("^"))
    repeat {
      let first = try takeItem()
      guard next == "-", index + 1 < characters.count, characters[index + 1] != "]" else {
        test.add(first)
        continue
      }
      index += 1
      test.add(try range(from: first, to: try takeItem()))
    } while next != "]"
    index += 1
    return test
  }

  private func range(
    from first: PatternTest.Item, to last: PatternTest.Item
  ) throws(PatternError) -> PatternTest.Item {
    guard case .one(let least) = first, case .one(let most) = last,
      let lower = least.onlyScalar, let upper = most.onlyScalar,
      lower <= upper
    else { throw error("this is no range of characters") }
    return .range(lower...upper)
  }

  private mutating func takeItem() throws(PatternError) -> PatternTest.Item {
    guard let character = next else { throw error("a set is not closed") }
    index += 1
    switch character {
    case "\\": return try takeEscapedItem()
    case "]": throw error("a set is empty")
    case "[": throw error("sets of sets are not supported")
    case "&", "-", "~":
      guard next != character else { throw error("sets of sets are not supported") }
      return .one(character)
    default: return .one(character)
    }
  }
}

/// A pattern as a tree.
indirect enum PatternNode: Sendable, Hashable {
  /// A place in the text that takes no character.
  enum Place: Sendable, Hashable {
    case start, end, wordBoundary, noWordBoundary
  }

  case one(PatternTest)
  case place(Place)
  case sequence([PatternNode])
  case either([PatternNode])
  case times(PatternNode, Int, Int?)
}
