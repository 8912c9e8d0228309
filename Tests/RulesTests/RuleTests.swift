import Rules
import Testing

@Suite struct RuleTests {
  private struct Address: Sendable {
    var city = "Ghent"
  }

  private struct Person: Sendable {
    var name = "Ada"
    var age = 36
    var address = Address()
  }

  private static let notEmpty = Rule<String>(code: "not-empty", message: "must not be empty") {
    !$0.isEmpty
  }
  private static let short = Rule<String>(code: "short", message: "must be short") { $0.count < 4 }
  private static let person = Rule<Person>.all(
    .field(\.name, "name", .all(notEmpty, short)),
    Rule(code: "of-age", message: "must be of age", path: "age") { $0.age >= 18 },
    .field(\.address, "address", .field(\.city, "city", notEmpty)))

  @Test func `a value that satisfies the predicate is valid`() {
    #expect(Self.notEmpty.check("a") == .valid)
    #expect(Self.notEmpty.check("a").isValid)
  }

  @Test func `a value that does not is reported with code, message and path`() {
    let rule = Rule<Int>(code: "even", message: "must be even", path: "count") { $0 % 2 == 0 }
    #expect(
      rule.check(3).issues == [Issue(path: "count", code: "even", message: "must be even")])
  }

  @Test func `a closure can report for itself`() {
    let rule = Rule<[Int]> { numbers in
      Report(
        numbers.enumerated().filter { $0.element < 0 }.map {
          Issue(path: "\($0.offset)", code: "positive", message: "must be positive")
        })
    }
    #expect(rule.check([1, -1, 2, -2]).issues.map(\.path) == ["1", "3"])
  }

  @Test func `all reports the issues of every rule, in order`() {
    let both = Rule.all(Self.notEmpty, Self.short, .not(Self.short, code: "long", message: "long"))
    #expect(both.check("").issues.map(\.code) == ["not-empty", "long"])
    #expect(both.check("longer").issues.map(\.code) == ["short"])
  }

  @Test func `all of no rules is kept by every value`() {
    #expect(Rule<String>.all().check("").isValid)
  }

  @Test(arguments: [("", true), ("longer", true), ("a", true)])
  func `any is kept when one rule is`(text: String, isValid: Bool) {
    #expect(Rule.any(Self.notEmpty, Self.short).check(text).isValid == isValid)
  }

  @Test func `any reports the issues of all rules when none is kept`() {
    let empty = Rule<String>(code: "empty", message: "must be empty", \.isEmpty)
    #expect(Rule.any(empty, Self.short).check("longer").issues.map(\.code) == ["empty", "short"])
  }

  @Test func `not is kept by what breaks the rule`() {
    let blank = Rule.not(Self.notEmpty, code: "empty", message: "must be empty", path: "text")
    #expect(blank.check("").isValid)
    #expect(
      blank.check("a").issues == [Issue(path: "text", code: "empty", message: "must be empty")])
  }

  @Test func `a valid value keeps rules on its fields`() {
    #expect(Self.person.check(Person()).isValid)
  }

  @Test func `an issue's path leads through the fields`() {
    let person = Person(name: "", age: 7, address: Address(city: ""))
    let report = Self.person.check(person)
    #expect(report.issues.map(\.path) == ["name", "age", "address.city"])
    #expect(!report.isValid)
  }

  @Test func `a report reads as text`() {
    let person = Person(name: "", age: 7)
    #expect("\(Report.valid)" == "valid")
    #expect(
      "\(Self.person.check(person))"
        == "name: must not be empty (not-empty); age: must be of age (of-age)")
    #expect("\(Issue(code: "whole", message: "is wrong"))" == "is wrong (whole)")
  }
}
