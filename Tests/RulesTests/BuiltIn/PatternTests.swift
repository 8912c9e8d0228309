import Rules
import Testing

@Suite struct PatternTests {
  private static func matches(
    _ pattern: String, _ text: String, _ extent: PatternExtent = .whole,
    _ letters: LetterCase = .sensitive, by unit: PatternUnit = .graphemes
  ) throws -> Bool {
    try Rule.matches(pattern, extent, letters, by: unit).isKept(by: text)
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "ab", false),
    ("a|bc", "bc", true),
    ("a|", "", true), ("a*", "aaa", true), ("a+", "", false), ("a?b", "b", true),
    ("a?b", "aab", false),
    ("a{2}", "aa", true), ("a{2}", "aaa", false), ("a{2,}", "aaaa", true), ("a{2,}", "a", false),
    ("a{1,3}", "aaa", true), ("a{1,3}", "aaaa", false), ("a{,2}", "", true), ("a{0}b", "b", true),
    ("(ab)+", "abab", true), ("(?:ab)+", "aba", false), ("(?<name>a)b", "ab", true),
    ("a*?b", "aab", true),
    ("[a-c]+", "abc", true), ("[^a-c]+", "xyz", true), ("[^a-c]", "a", false), ("[-a]", "-", true),
    ("[a-]", "-", true), ("[\\]]", "]", true), ("[\\d_]+", "1_2", true), ("[^\\d]", "1", false),
    (".", "x", true), (".", "\n", false), (".", "\r\n", false), (".*", "a\nb", false),
    ("\\d+", "123", true), ("\\d", "١", false), ("\\D", "a", true), ("\\w+", "a_1", true),
    ("\\w", "é", false), ("\\W", "é", true), ("\\s", "\u{A0}", true), ("\\S", "a", true),
    ("\\p{Lu}", "É", true), ("\\p{L}+", "aÉд", true), ("\\P{L}", "1", true),
    ("[\\p{Nd}]", "١", true),
    ("\\.", ".", true), ("\\.", "a", false), ("\\\\", "\\", true), ("\\x41", "A", true),
    ("\\u00e9", "é", true), ("\\u{1F600}", "\u{1F600}", true), ("\\n\\t\\r", "\n\t\r", true),
    ("^a$", "a", true), ("a$", "a\n", false), ("\\Aa\\z", "a", true), ("a^", "a", false),
    ("(^a|b)c", "ac", true), ("(a*)*", "aaa", true), ("(a|b|c)*d", "abcd", true), ("()", "", true),
    ("(a{2}){3}", "aaaaaa", true), ("(a{2}){3}", "aaaaa", false), ("(){1000}", "", true),
  ])
  func `a pattern has to match the whole text`(pattern: String, text: String, isKept: Bool) throws {
    #expect(try Self.matches(pattern, text) == isKept)
    #expect(try Self.matches(pattern, text, by: .scalars) == isKept || text == "\r\n")
    let forbidden = try Rule.doesNotMatch(pattern, .whole, .sensitive)
    #expect(forbidden.isKept(by: text) == !isKept)
  }

  @Test(arguments: [
    ("b+", "aabbcc", true), ("^b", "ab", false), ("b$", "ab", true), ("b$", "ba", false),
    ("\\bcat\\b", "a cat sat", true), ("\\bcat\\b", "concat", false), ("\\Bcat", "concat", true),
    ("", "", true), ("x", "", false), ("a.c", "xxabcxx", true), ("abab", "abaabab", true),
  ])
  func `K-R17: a search finds the pattern anywhere`(pattern: String, text: String, isKept: Bool)
    throws
  {
    #expect(try Self.matches(pattern, text, .search) == isKept)
  }

  @Test(arguments: [("ab", "abc", true), ("b", "abc", false), ("a*", "", true)])
  func `a prefix is found at the beginning`(pattern: String, text: String, isKept: Bool) throws {
    #expect(try Self.matches(pattern, text, .prefix) == isKept)
  }

  @Test(arguments: [
    ("abc", "ABC", false, true), ("[a-c]", "B", false, true), ("[^a]", "A", true, false),
    ("é", "É", false, true), ("ß", "ß", true, true), ("\\x41", "a", false, true),
    ("a", "b", false, false), ("\\p{Lu}", "a", false, true),
  ])
  func `case sensitivity is an option`(pattern: String, text: String, exact: Bool, ignored: Bool)
    throws
  {
    #expect(try Self.matches(pattern, text, .whole, .sensitive) == exact)
    #expect(try Self.matches(pattern, text, .whole, .insensitive) == ignored)
  }

  @Test func `characters are graphemes or scalars`() throws {
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
    #expect(try Self.matches(".", family))
    #expect(try !Self.matches(".", family, by: .scalars))
    #expect(try Self.matches(".{5}", family, by: .scalars))
    #expect(try Self.matches("e\u{301}", "\u{E9}"))
    #expect(try !Self.matches("e\u{301}", "\u{E9}", by: .scalars))
    #expect(try Self.matches("\\s", "\r\n"))
    #expect(try Self.matches("\\r\\n", "\r\n", by: .scalars))
  }

  @Test(arguments: [
    "(", ")", "(a", "a)", "[", "[a", "[]", "[^]", "[z-a]", "[a-\\d]", "*", "+a", "?", "{1}", "a{",
    "a{x}",
    "a{2,1}", "a{1001}", "a**", "a+*", "a++", "^*", "\\", "\\q", "\\1", "\\x4", "\\u{110000}",
    "\\u{}",
    "\\p", "\\p{", "\\p{Xx}", "(?=a)", "(?!a)", "(?i)a", "(?<=a)", "(?<a", "(?<1>a)", "[[a]]",
    "[a&&b]", "[a--b]", "(a{1000}){1000}", "a{99999999999999999999}",
    String(repeating: "(", count: 1 << 20), String(repeating: "(", count: 101),
    String(repeating: "a", count: 2001),
  ])
  func `K-R16 A-18 F-S10: a malformed pattern is refused when the rule is made`(pattern: String) {
    for unit in PatternUnit.allCases {
      let error = #expect(throws: PatternError.self) {
        try Rule.matches(pattern, .search, .sensitive, by: unit)
      }
      #expect(error?.pattern == pattern)
    }
  }

  @Test func `parentheses may be nested a hundred deep, and any number may stand side by side`()
    throws
  {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(try Self.matches(nested(100), "a"))
    #expect(throws: PatternError.self) { try Self.matches(nested(101), "a") }
    let side = String(repeating: "(a)", count: 101)
    #expect(try Self.matches(side, String(repeating: "a", count: 101)))
  }

  @Test func `an error states the problem and its place`() {
    let error = #expect(throws: PatternError.self) {
      try Rule.doesNotMatch("ab)c", .whole, .sensitive)
    }
    #expect(error?.offset == 2)
    #expect(error.map { "\($0)" } == "pattern, character 3: a parenthesis closes nothing")
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "(a+)+b", "(a*)*b", "(a|a)*b", "(a|aa)+b", "(.*)(.*)(.*)b", "(a?){100}a{100}b",
    ])
  func `no pattern takes long on a text designed to slow it down`(pattern: String) throws {
    let rule = try Rule.matches(pattern, .whole, .sensitive)
    #expect(!rule.isKept(by: String(repeating: "a", count: 2000)))
    #expect(rule.isKept(by: String(repeating: "a", count: 200) + "b"))
  }

  @Test func `a text longer than the limit breaks the rule and its negation`() throws {
    let text = String(repeating: "a", count: 11)
    for rule in [
      try Rule.matches("a*", .whole, .sensitive, limit: 10),
      try .doesNotMatch("b", .search, .sensitive, limit: 10),
      .matches(/a*/, named: "a", .whole, limit: 10),
      .doesNotMatch(/b/, named: "b", .search, limit: 10),
    ] {
      #expect(rule.isKept(by: String(text.dropLast())))
      #expect(
        rule.check(text).issues.map(\.message) == ["must have at most 10 bytes to be matched"])
      #expect(rule.check(text).issues.map(\.code) == ["too-long-to-match"])
    }
  }

  @Test(arguments: [PatternExtent.whole, .search, .prefix])
  func `F-109 F-110: a ready regular expression is a pattern, too`(extent: PatternExtent) throws {
    let (ready, text) = (Rule.matches(/b+/, named: "bs", extent), ["b", "ab", "ba", "a"])
    let written = try Rule.matches("b+", extent, .sensitive)
    #expect(text.map(ready.isKept) == text.map(written.isKept))
    #expect(ready.check("a").issues.map(\.message) == ["must match the pattern bs"])
  }

  @Test(arguments: [("name@example.com", true), ("NAME@EXAMPLE.COM", true), ("name", false)])
  func `F-111 F-112 F-113 F-114: a match, and its negation`(text: String, isKept: Bool) throws {
    let pattern = "[a-z]+@[a-z]+\\.[a-z]+"
    #expect(try Rule.matches(pattern, .search, .insensitive).isKept(by: text) == isKept)
    #expect(try Rule.doesNotMatch(pattern, .search, .insensitive).isKept(by: text) == !isKept)
  }

  @Test(arguments: [("hey", false), ("hello", true), ("hello!", false)])
  func `A-18: the whole text has to match`(text: String, isKept: Bool) throws {
    #expect(try Self.matches("hello", text) == isKept)
  }
}
