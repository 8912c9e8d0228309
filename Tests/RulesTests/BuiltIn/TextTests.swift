import Rules
import Testing

@Suite struct TextTests {
  private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"

  @Test(arguments: [("", false), ("toto", true), (" ", true), ("\0", true)])
  func `K-01 K-02 S-08 S-09 F-50 F-51: a text is not empty`(text: String, isKept: Bool) {
    #expect(Rule.notEmpty.isKept(by: text) == isKept)
    #expect(Rule.empty.isKept(by: text) == !isKept)
    #expect(
      Rule.notEmpty.check(text).issues.map(\.message) == (isKept ? [] : ["must not be empty"]))
  }

  @Test(arguments: [
    ("", true, true), (" ", true, true), ("\u{A0}", true, true), (" \t", true, true),
    ("\u{3000}", true, true), ("\n", true, false), ("\r\n", true, false), ("\u{2028}", true, false),
    ("\u{200B}", true, false), ("\u{FEFF}", true, false), ("\0", true, false),
    ("\u{202E}", true, false), ("\u{3164}", true, false), ("a", false, false),
    (" a ", false, false),
    (" \u{301}", false, false), ("\u{E000}", false, false), ("\u{10FFFE}", false, false),
  ])
  func `K-R19: blank text is invisible, or blank within a line`(
    text: String, isBlank: Bool, isHorizontallyBlank: Bool
  ) {
    #expect(Rule.notBlank.isKept(by: text) == !isBlank)
    #expect(Rule.blank.isKept(by: text) == isBlank)
    #expect(Rule.notBlank(.horizontal).isKept(by: text) == !isHorizontallyBlank)
    #expect(Rule.blank(.horizontal).isKept(by: text) == isHorizontallyBlank)
  }

  @Test(arguments: [
    (Rule<String>.length(min: 2, max: 3), 2...3), (.length(2...3), 2...3), (.length(2..<4), 2...3),
    (.length(2...), 2...9), (.length(...3), 0...3),
  ])
  func `a length lies in a range of any kind`(rule: Rule<String>, kept: ClosedRange<Int>) {
    for length in 0...9 {
      let text = String(repeating: "a", count: length)
      #expect(rule.isKept(by: text) == kept.contains(length), "\(length)")
    }
  }

  @Test func `an empty range of lengths keeps no text`() {
    #expect(!Rule<String>.length(0..<0).isKept(by: ""))
  }

  @Test(arguments: [
    ("", 0, 0, 0, 0), ("ab", 2, 2, 2, 2), ("\r\n", 1, 2, 2, 2), ("e\u{301}", 1, 2, 3, 2),
    ("\u{E9}", 1, 1, 2, 1), (family, 1, 5, 18, 8), ("a\u{200B}", 2, 2, 4, 2), ("\0", 1, 1, 1, 1),
    ("\u{1F1E7}\u{1F1EA}", 1, 2, 8, 4), ("שלום", 4, 4, 8, 4),
  ])
  func `K-R18: a length is counted in the chosen unit`(
    text: String, graphemes: Int, scalars: Int, utf8: Int, utf16: Int
  ) {
    for (unit, count) in zip(LengthUnit.allCases, [graphemes, scalars, utf8, utf16]) {
      #expect(unit.length(of: text) == count)
      #expect(Rule.length(exactly: count, in: unit).isKept(by: text))
      #expect(!Rule.length(exactly: count + 1, in: unit).isKept(by: text))
      #expect(!Rule.length(exactly: count - 1, in: unit).isKept(by: text))
      #expect(Rule.length(min: count, in: unit).isKept(by: text))
      #expect(!Rule.length(min: count + 1, in: unit).isKept(by: text))
      #expect(Rule.length(max: count, in: unit).isKept(by: text))
      #expect(!Rule.length(max: count - 1, in: unit).isKept(by: text))
      #expect(Rule.length(count...count, in: unit).isKept(by: text))
    }
  }

  @Test(arguments: LengthUnit.allCases)
  func `the largest and smallest integers are valid limits`(unit: LengthUnit) {
    #expect(!Rule.length(min: .max, in: unit).isKept(by: "a"))
    #expect(Rule.length(min: .min, in: unit).isKept(by: ""))
    #expect(Rule.length(max: .max, in: unit).isKept(by: "a"))
    #expect(!Rule.length(max: .min, in: unit).isKept(by: ""))
    #expect(!Rule.length(exactly: .max, in: unit).isKept(by: "a"))
    #expect(!Rule.length(exactly: .min, in: unit).isKept(by: ""))
  }

  @Test func `a length counts graphemes by default`() {
    #expect(Rule.length(max: 1).isKept(by: Self.family))
    #expect(
      Rule.length(max: 1).check("ab").issues.map(\.message) == [
        "must be at most 1 long (graphemes)"
      ])
  }

  @Test(arguments: [
    (5...5, "abcde", true), (5...Int.max, "abcd", false), (0...5, "abcde", true),
    (0...5, "abcdef", false), (5...10, "abcde", true), (5...10, "abcdefgh", true),
    (5...10, "abcdefghij", true), (5...10, "abcd", false), (5...10, "abcdefghijk", false),
  ])
  func `S-26 S-27 S-28 S-29 S-30 S-31: lengths`(
    range: ClosedRange<Int>, text: String, isKept: Bool
  ) {
    #expect(Rule.length(range).isKept(by: text) == isKept)
  }

  @Test(arguments: [("abcdef", false), ("abc", true)])
  func `A-14: at most five`(text: String, isKept: Bool) {
    #expect(Rule.length(max: 5, in: .utf16).isKept(by: text) == isKept)
  }

  @Test(arguments: [("ab", false), ("abcd", true)])
  func `A-15: at least three`(text: String, isKept: Bool) {
    #expect(Rule.length(min: 3, in: .utf16).isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("password", false), ("password1", true), ("١", true), ("a\n1", true), ("²", false),
    ("", false),
  ])
  func `A-20: a digit of any script, on any line`(text: String, isKept: Bool) {
    #expect(Rule.containsDigit.isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("valid1", true), ("9valid", true), ("invalid", false), ("invali_d", false),
    ("inv+alid", false),
  ])
  func `S-42 S-43: contains a number`(text: String, isKept: Bool) {
    #expect(Rule.containsDigit.isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("a", false, true), ("A", true, false), ("É", true, false), ("e\u{301}", false, true),
    ("1", false, false), ("", false, false), ("ß", false, true), ("Ⅷ", true, false),
  ])
  func `letters of either case are of any script`(text: String, upper: Bool, lower: Bool) {
    #expect(Rule.containsUppercase.isKept(by: text) == upper)
    #expect(Rule.containsLowercase.isKept(by: text) == lower)
  }

  @Test(arguments: [
    ("a!", true), ("€", true), ("_", true), ("a1 ", false), ("\u{200B}", false),
    ("e\u{301}", false),
  ])
  func `a special character is punctuation or a symbol`(text: String, isKept: Bool) {
    #expect(Rule.containsSpecialCharacter.isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("", true, true, true, true), ("aZ", true, false, true, true), ("09", false, true, true, true),
    ("a9", false, false, true, true), ("a-", false, false, false, true),
    ("é", false, false, false, false),
    ("[", false, false, false, true), ("`", false, false, false, true),
    ("@", false, false, false, true),
    ("١", false, false, false, false), ("/", false, false, false, true),
    (":", false, false, false, true),
    ("a\0", false, false, false, true), ("a\u{301}", false, false, false, false),
  ])
  func `a text of letters, of digits, of both, of ASCII`(
    text: String, letters: Bool, digits: Bool, both: Bool, ascii: Bool
  ) {
    #expect(Rule.onlyLetters.isKept(by: text) == letters)
    #expect(Rule.onlyDigits.isKept(by: text) == digits)
    #expect(Rule.onlyLettersAndDigits.isKept(by: text) == both)
    #expect(Rule.onlyASCII.isKept(by: text) == ascii)
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
  func `every line break makes several lines`(lineBreak: String) {
    #expect(!Rule.singleLine.isKept(by: "a\(lineBreak)b"))
    #expect(Rule.noHiddenCharacters.isKept(by: "a\(lineBreak)b"))
  }

  @Test(arguments: [
    ("plain text\t", true), ("Ünï", true), ("\u{200B}", false), ("\u{202E}a", false), ("\0", false),
    ("a\u{AD}b", false), (family, false), ("\u{1F600}", true), ("\u{7F}", false),
  ])
  func `hidden characters are detected`(text: String, isKept: Bool) {
    #expect(Rule.noHiddenCharacters.isKept(by: text) == isKept)
    #expect(Rule.singleLine.isKept(by: text))
  }

  @Test(arguments: [
    ("Hello", "A", false), ("Hello Adam", "A", true), ("caf\u{E9}", "e\u{301}", true),
    ("abc", "", true), ("", "a", false), ("abc", "abc", true), ("a\r\nb", "\n", false),
  ])
  func `S-56: a substring is found by whole characters and canonical equivalence`(
    text: String, part: String, isKept: Bool
  ) {
    #expect(Rule.contains(part).isKept(by: text) == isKept)
  }

  @Test func `a prefix and a suffix`() {
    #expect(Rule.hasPrefix("ab").isKept(by: "abc"))
    #expect(!Rule.hasPrefix("bc").isKept(by: "abc"))
    #expect(Rule.hasSuffix("bc").isKept(by: "abc"))
    #expect(!Rule.hasSuffix("ab").isKept(by: "abc"))
    #expect(!Rule.hasPrefix("e").isKept(by: "e\u{301}"))
  }

  @Test func `limits at the ends of what an integer holds are limits`() {
    let ends: [(Rule<String>, Bool)] = [
      (.length(min: .min), true), (.length(min: .max), false), (.length(max: .min), false),
      (.length(max: .max), true), (.length(Int.min..<Int.min), false),
      (.length(Int.min..<Int.max), true), (.length(.min ... .max), true),
      (.length(exactly: .min), false), (.length(exactly: .max), false),
    ]
    for (rule, isKept) in ends { #expect(rule.isKept(by: "text") == isKept) }
  }
}
