import Rules
import Testing

@Suite struct EmailTests {
  /// Addresses that earlier grammars disagree about, with our answers: practical, ascii, rfcLike.
  @Test(arguments: [
    ("user@valid.com", true, true, true), ("user@localserver", false, false, true),
    ("user@x.museum", true, true, true), ("user@x.technology", true, true, true),
    ("u@x.c", false, false, true), ("a+b@c.io", true, true, true),
    ("o'brien@x.com", true, false, true), ("\"a b\"@c.com", false, false, true),
    ("user@-a.com", false, false, false), ("a..b@x.com", false, false, false),
    ("user@invalid,com", false, false, false), ("a@b@c.com", false, false, false),
    ("u@xn--d1acufc.xn--p1ai", true, false, true), ("имя@почта.рф", false, false, false),
    ("user@valid.com\n", false, false, false), ("user@valid.com\r\n", false, false, false),
    ("user", false, false, false), ("", false, false, false), ("@", false, false, false),
    (".a@b.com", false, false, false), ("a.@b.com", false, false, false),
    ("@b.com", false, false, false), ("a@", false, false, false), ("a@.com", false, false, false),
    ("a@b.com.", false, false, false), ("a@b..com", false, false, false),
    ("user@1.2.3.4", false, false, true), ("user_1@valid.co.uk", true, true, true),
    ("A.B-c@D.Com", true, true, true), ("a@b-.com", false, false, false),
    ("a b@c.com", false, false, false), ("a@b_c.com", false, false, false),
    ("Ada <ada@b.com>", false, false, false), ("a@b.c\u{200B}om", false, false, false),
    ("a\u{200B}@b.com", false, false, false), ("a\0@b.com", false, false, false),
    ("a\\@b.com", false, false, false), ("a@\u{1F600}.com", false, false, false),
  ])
  func `each grammar accepts the addresses that it defines (7.2)`(
    text: String, practical: Bool, ascii: Bool, rfcLike: Bool
  ) {
    #expect(Rule.email().isKept(by: text) == practical)
    #expect(Rule.email(.ascii).isKept(by: text) == ascii)
    #expect(Rule.email(.rfcLike).isKept(by: text) == rfcLike)
  }

  /// The verdicts of an earlier scanner; where ours differ, `Documentation/SeedFacts.md` says why.
  @Test(arguments: [
    ("a@b", true), ("\"a@b\"@c.d", true), ("a.\"b c\"@d.e", true),
    ("(c)a(c)@(c)b(c).(c)c(c)", true),
    ("(a(b)c)d@e.f", true), ("#!$%&*+-/=?^_{}|~'@b.c", true), ("a@1.2", true), ("\"\"@b.c", true),
    ("\"a\\\"b\"@c.d", true), ("a@[1.2.3.4]", true), ("a@[IPv6:::1]", true), ("a@[1.2.3]", false),
    ("a@[::1]", false), ("a@[IPv6:1.2.3.4]", false), ("(a@b.c", false), ("\"a\"b@c.d", false),
    ("a\"b\"@c.d", false), ("(a\\(b)c@d.e", true), ("\"a@b.c", false), ("\"a\u{7}\"@b.c", false),
    ("(\u{200B})a@b.c", false), ("<a>@b.c", false), ("a:b@c.d", false), ("(a)@b.c", false),
    ("\"a\\", false), ("a(b)c@d.e", false), ("a@b.c(d", false), ("a@b.c)d", false),
  ])
  func `the RFC-like grammar accepts quoted names, comments and address literals (4.4)`(
    text: String, isKept: Bool
  ) {
    #expect(Rule.email(.rfcLike).isKept(by: text) == isKept)
  }

  @Test(arguments: [EmailGrammar.practical, .ascii, .rfcLike])
  func `names have up to 64 octets, labels up to 63, addresses up to 254`(grammar: EmailGrammar) {
    let rule = Rule.email(grammar)
    func text(_ name: Int, _ labels: [Int]) -> String {
      String(repeating: "a", count: name) + "@"
        + labels.map { String(repeating: "b", count: $0) }.joined(separator: ".")
    }
    #expect(rule.isKept(by: text(64, [3, 3])))
    #expect(!rule.isKept(by: text(65, [3, 3])))
    #expect(rule.isKept(by: text(1, [63, 3])))
    #expect(!rule.isKept(by: text(1, [64, 3])))
    #expect(rule.isKept(by: text(62, [63, 63, 63])))
    #expect(!rule.isKept(by: text(63, [63, 63, 63])))
  }

  @Test(arguments: [
    ("имя@почта.рф", true), ("user@münchen.de", true), ("δοκιμή@παράδειγμα.δοκιμή", true),
    ("a@\u{301}b.com", false), ("a@b\u{200D}c.com", false), ("a\u{200D}b@c.com", false),
    ("a@\u{1F600}.com", false), ("\u{1F600}@b.com", true), ("\u{202E}a@b.com", false),
    ("a@b\u{FF0E}com", false),
  ])
  func `F-71 F-72 F-79: international addresses have visible characters of any script`(
    text: String, isKept: Bool
  ) {
    #expect(Rule.email(international: true).isKept(by: text) == isKept)
  }

  /// The lengths are those of an independent encoder of RFC 3492.
  @Test(arguments: [
    (String(repeating: "я", count: 57), 63), (String(repeating: "я", count: 58), 64),
    (String(repeating: "日", count: 57), 63), (String(repeating: "日", count: 58), 64),
    (String(repeating: "авждджва", count: 7).dropLast().description, 63),
    (String(repeating: "авждджва", count: 7), 64),
    (String(repeating: "日語漢字漢語日", count: 6) + "日", 63),
    (String(repeating: "日語漢字漢語日", count: 6) + "日語", 64),
    ("жжжüжжжж本aüüü本本本本жжaüaüaaaaжaü本ü本üü本жa本ж本ж本ü本жü", 63),
    ("日日本本本語日日本ca語語本本я本語語日a日本本本本語語本本日語a語日caca日ac日", 64),
    ("éééßßщéßßяé本本ö本щщééßéяö本ßßяéяöяßéßщßящящéяéщщ", 64),
  ])
  func `an international label is as long as its ASCII form`(label: String, octets: Int) {
    let rule = Rule.domainName(labels: 1, international: true)
    #expect(rule.isKept(by: label) == (octets <= 63))
  }

  @Test(arguments: [("name@unknown-domain.com", true), ("имя@домен.рф", false)])
  func `F-69 F-70 F-73 F-74 F-77 F-78: without IDN and DNS, English is valid, Cyrillic is not`(
    text: String, isKept: Bool
  ) {
    #expect(Rule.email().isKept(by: text) == isKept)
  }

  @Test(arguments: [("a@known.com", true), ("a@unknown.com", false), ("\"@\"@known.com", true)])
  func `F-75 F-76 F-80: the caller supplies the domain lookup`(
    text: String, isKept: Bool
  ) async {
    let rule = AsyncRule.emailDomain { $0 == "known.com" }
    let report = await rule.check(text)
    #expect(report.isValid == isKept)
    #expect(report.issues.map(\.code) == (isKept ? [] : ["unknown-domain"]))
    #expect(report.issues.allSatisfy { $0.message == "must have a domain that receives mail" })
  }

  @Test func `an address without a domain fails the domain check`() async {
    #expect(await !AsyncRule.emailDomain { _ in true }.check("a").isValid)
  }

  @Test(arguments: ["user@valid.com", "user_1@valid.co.uk", "user@valid.museum"])
  func `S-40: valid standard addresses`(text: String) {
    #expect(Rule.email(.ascii).isKept(by: text))
    #expect(Rule.email().isKept(by: text))
  }

  @Test(arguments: ["user@invalid,com", "uservalid.com", "user", "user@@valid.com"])
  func `S-41: invalid standard addresses`(text: String) {
    #expect(!Rule.email(.ascii).isKept(by: text))
    #expect(!Rule.email().isKept(by: text))
  }
}
