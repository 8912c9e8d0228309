import Rules
import Synchronization
import Testing

/// Facts about combinations of rules on single values; those about one kind of rule are with it.
@Suite struct SeedFactTests {
  private static let noCapitalA = Rule<String>(code: "capital-a") { !$0.contains("A") }
  private static let three: [Rule<String>] = [.length(min: 5), .email(), noCapitalA]

  @Test func `K-04: not blank and of length three`() {
    let rule = Rule.notBlank && .length(exactly: 3)
    #expect(rule.check("ab").issues.map(\.code) == ["wrong-length"])
    #expect(rule.check("abc").isValid)
  }

  @Test func `K-03 K-12: a number that is not negative`() {
    #expect(Rule<Int>.notNegative.isKept(by: 2))
    #expect(!Rule<Int>.notNegative.isKept(by: -2))
  }

  @Test func `K-11: a rule that always fails gives its reason`() {
    let rule = Rule<Bool>(code: "never", message: "this is the reason") { _ in false }
    #expect(rule.check(true).issues.map(\.message) == ["this is the reason"])
  }

  @Test func `K-R21: rules that always pass or fail fit every type`() {
    #expect(Rule<String>.pass.isKept(by: ""))
    #expect(!Rule<Int>.not(.pass).isKept(by: 1))
  }

  @Test func `K-R22: a disjunction of two combinations reports every issue`() {
    let rule = Rule.empty || (.length(exactly: 3) && .hasPrefix("a"))
    #expect(rule.check("bcd").issues.map(\.code) == ["not-empty", "wrong-beginning"])
    #expect(
      rule.check("bc").issues.map(\.code) == ["not-empty", "wrong-length", "wrong-beginning"])
    #expect(rule.check("").isValid)
    #expect(rule.check("abc").isValid)
  }

  @Test func `K-R22: a conjunction can be made to stop at its first issue`() {
    let rule = Rule.empty || (Rule.length(exactly: 3) && .hasPrefix("a")).stoppingAtFirst
    #expect(rule.check("bc").issues.map(\.code) == ["not-empty", "wrong-length"])
  }

  @Test func `A-02: three rules, three issues`() {
    #expect(Rule.all(Self.three).check("hAhA").issues.count == 3)
  }

  @Test(arguments: [("Almostvalid@string.com", ["capital-a"]), ("valid@string.com", [])])
  func `A-03 A-04: one issue, and none`(text: String, codes: [String]) {
    #expect(Rule.all(Self.three).check(text).issues.map(\.code) == codes)
  }

  @Test func `A-05 A-06: no rules, or satisfied ones, have no issues`() {
    #expect(Rule<String>.all().check("any") == .valid)
    #expect(Rule.notEmpty.check("any") == .valid)
  }

  @Test func `A-07 A-08: messages are the standard ones or custom ones`() {
    #expect(
      Rule.length(min: 5).check("a").issues.map(\.message) == [
        "must be at least 5 long (graphemes)"
      ])
    let rule = Rule.length(min: 5).message("at least {min}, please")
    #expect(rule.check("a").issues.map(\.message) == ["at least 5, please"])
  }

  @Test func `A-09: a report covers one check`() {
    let rule = Rule.length(max: 3)
    #expect(!rule.check("hiya").isValid)
    #expect(rule.check("hi").issues.isEmpty)
  }

  @Test(arguments: [("hAllo", false), ("hello", true)])
  func `A-11: a closure is a rule`(text: String, isKept: Bool) {
    #expect(Self.noCapitalA.isKept(by: text) == isKept)
    #expect(Rule<Int>(code: "five") { $0 == 5 }.isKept(by: isKept ? 5 : 1) == isKept)
  }

  @Test func `A-12: equality with another value`() {
    #expect(!Rule.equals("p4ssword").isKept(by: "password"))
    #expect(Rule.equals("password").isKept(by: "password"))
    #expect(!Rule.equals(5.0).isKept(by: 4.9))
    #expect(Rule.equals(5.0).isKept(by: 5))
  }

  @Test func `A-13 S-24 S-25: a changing comparison value is read at each check`() {
    let target = Target("hey")
    let rule = Rule.equals("target") { target.text.withLock { $0 } }
    #expect(rule.isKept(by: "hey"))
    target.text.withLock { $0 += "!" }
    #expect(!rule.isKept(by: "hey"))
    #expect(rule.check("hey").issues.map(\.message) == ["must be target"])
  }

  @Test func `A-21: nil, the empty text, and a text`() {
    let rule = Rule.notEmpty.required
    #expect(!rule.isKept(by: nil))
    #expect(!rule.isKept(by: ""))
    #expect(rule.isKept(by: "hello"))
  }

  @Test func `A-25: at most three`() {
    #expect(Rule.length(max: 3).isKept(by: "hi"))
    #expect(!Rule.length(max: 3).isKept(by: "hiya"))
  }

  @Test func `S-01 S-02: one rule, kept and broken`() {
    #expect(Rule<Int>.pass.check(1).isValid)
    #expect(Rule<Int>(code: "no") { _ in false }.check(1).issues.map(\.code) == ["no"])
  }

  @Test(arguments: [
    ("\u{1F44D}", []), ("\u{1F44E}", ["not-equal"]), ("", ["too-short", "not-equal"]),
  ])
  func `S-03 S-04 S-05: a length and an emoji`(text: String, codes: [String]) {
    let rule = Rule.length(min: 1) && .equals("\u{1F44D}")
    #expect(rule.check(text).issues.map(\.code) == codes)
  }

  @Test func `S-06 S-07: a report is valid without issues`() {
    #expect(Report.valid.isValid)
    #expect(!Report([Issue("any")]).isValid)
  }

  @Test(arguments: [([45, 1, 5], true), ([40, 1, 5], false)])
  func `S-14 S-15: a condition on a list`(list: [Int], isKept: Bool) {
    #expect(Rule<[Int]>(code: "sum") { $0.reduce(0, +) > 50 }.isKept(by: list) == isKept)
    #expect(Self.noCapitalA.isKept(by: isKept ? "\u{1F44D}" : "invAlid") == isKept)
  }

  @Test(arguments: [("password", true), ("p@ssword", false)])
  func `S-20 S-21: equality of texts`(text: String, isKept: Bool) {
    #expect(Rule.equals("password").isKept(by: text) == isKept)
  }

  @Test(arguments: [(1.0, true), (2.0, false)])
  func `S-22 S-23: equality of numbers`(number: Double, isKept: Bool) {
    #expect(Rule.equals(1.0).isKept(by: number) == isKept)
  }

  @Test func `S-49 S-50: required means present, whatever the type`() {
    let rule = Rule<String>.pass.required
    let absent: String? = nil
    #expect(rule.isKept(by: "hello"))
    #expect(!rule.isKept(by: nil))
    #expect(!rule.isKept(by: absent))
    #expect(rule.isKept(by: ""))
  }

  @Test func `S-57: each text is checked as it is`() {
    let rule = Rule.contains("A")
    #expect(["BCDE", "ABCDE"].map(rule.isKept) == [false, true])
  }

  @Test func `S-59: merged reports have the issues of all`() {
    let reports = [Report.valid, .valid, Report([Issue("one")]), Report([Issue("two")])]
    let merged = reports.reduce(Report.valid) { $0.merging($1) }
    #expect(merged.issues.map(\.code) == ["one", "two"])
  }

  @Test func `F-50: nil has exactly one issue`() {
    #expect(Rule.notEmpty.required.check(nil).issues.map(\.code) == ["required"])
  }

  @Test func `F-52: a value that is required`() {
    let rule = Rule.equals("test string").required
    #expect(rule.check("new string").issues.map(\.code) == ["not-equal"])
    #expect(rule.check("test string").isValid)
  }

  @Test func `F-S14: a value that looks like a placeholder stays`() {
    let rule = Rule.equals("{expected}{path}").message("{expected} is expected")
    #expect(rule.check("").issues.map(\.message) == ["{expected}{path} is expected"])
  }

  @Test func `reports are equal by structure, not by their joined text`() {
    #expect(
      Report([Issue("a", wording: "ab")])
        != Report([Issue("a", wording: "a"), Issue("a", wording: "b")]))
  }

  private final class Target: Sendable {
    let text: Mutex<String>

    init(_ text: String) { self.text = Mutex(text) }
  }
}
