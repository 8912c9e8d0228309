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
  private static let ofAge = Rule<Int>(code: "of-age", message: "must be of age") { $0 >= 18 }
  private static let person = Rule<Person>.all(
    .field(\.name, "name", .all(notEmpty, short)),
    .field(\.age, "age", ofAge),
    .field(\.address, "address", .field(\.city, "city", notEmpty)))

  struct Stay: Sendable {
    var guest: String?
    var arrival: Int?
    var departure: Int?
  }

  @Test(arguments: [
    (Stay(), []), (Stay(guest: "Ada", arrival: 1, departure: 2), []),
    (Stay(guest: " ", arrival: 2, departure: 2), ["guest", "arrival"]),
    (Stay(arrival: 3), []),
  ])
  func `rules of optional fields are skipped where there is no value`(
    stay: Stay, paths: [String]
  ) {
    let rule =
      Rule<Stay>.field(\.guest, "guest", .notBlank)
      && .fields(\.arrival, "arrival", .less, \.departure, "departure")
    #expect(rule.check(stay).issues.map(\.path.description) == paths)
  }

  @Test func `a rule for an optional is written where one is expected`() {
    let rules: [Rule<String?>] = [.ifPresent(.notBlank), .required(.notBlank)]
    #expect(rules.map { $0.isKept(by: "a") } == [true, true])
    #expect(rules.map { $0.isKept(by: " ") } == [false, false])
    #expect(rules.map { $0.isKept(by: nil) } == [true, false])
  }

  @Test func `a message shows the value where the rule says that it is no secret`() {
    let plain = Rule<String>.length(max: 2).message("{value} has more than {max}")
    #expect(plain.check("abc").issues.first?.message == "{value} has more than 2")
    #expect(plain.showingValue.check("abc").issues.first?.message == "abc has more than 2")
    #expect(Rule<Int>.atLeast(3).showingValue.check(1).issues.first?.parameters["value"] == 1)
  }

  @Test func `a message comes from a closure`() {
    let rule = Rule<String>.length(max: 2).message { "\($0.code): at most {max}" }
    #expect(rule.check("abc").issues.first?.message == "too-long: at most 2")
  }

  @Test func `a value that satisfies the predicate is valid`() {
    #expect(Self.notEmpty.check("a") == .valid)
    #expect(Self.notEmpty.check("a").isValid)
  }

  @Test func `a value that does not satisfy it is reported with a code, figures and a message`() {
    let rule = Rule<Int>(
      code: "even", parameters: ["step": 2], message: "must go in steps of {step}"
    ) {
      $0 % 2 == 0
    }
    let issues = rule.check(3).issues
    #expect(issues.map(\.code) == ["even"])
    #expect(issues.map(\.parameters) == [["step": 2]])
    #expect(issues.map(\.message) == ["must go in steps of 2"])
  }

  @Test func `a closure can give its own message`() {
    let rule = Rule<[Int]> { numbers, findings in
      var outcome: Outcome = .passed
      for (index, number) in numbers.enumerated() where number < 0 {
        outcome = findings.fail(Issue("negative", path: IssuePath([.index(index)])))
      }
      return outcome
    }
    #expect(rule.check([1, -1, 2, -2]).issues.map(\.path.description) == ["[1]", "[3]"])
  }

  @Test func `all reports the issues of every rule, in order`() {
    let both = Rule.all(Self.notEmpty, Self.short, .not(Self.short, code: "long", message: "long"))
    #expect(both.check("").issues.map(\.code) == ["not-empty", "long"])
    #expect(both.check("longer").issues.map(\.code) == ["short"])
  }

  @Test func `an empty all is kept by every value`() {
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

  @Test func `not is kept by a value that breaks the rule`() {
    let blank = Rule.not(Self.notEmpty, code: "empty", message: "must be empty")
    #expect(blank.check("").isValid)
    #expect(blank.check("a").issues == [Issue("empty", wording: "must be empty")])
  }

  @Test func `a valid value keeps rules on its fields`() {
    #expect(Self.person.check(Person()).isValid)
  }

  @Test func `an issue's path leads through the fields`() {
    let person = Person(name: "", age: 7, address: Address(city: ""))
    let report = Self.person.check(person)
    #expect(report.issues.map(\.path.description) == ["name", "age", "address.city"])
    #expect(!report.isValid)
  }

  @Test func `a report can be printed as text`() {
    let person = Person(name: "", age: 7)
    #expect("\(Report.valid)" == "valid")
    #expect(
      "\(Self.person.check(person))"
        == "name: must not be empty (not-empty); age: must be of age (of-age)")
    #expect("\(Issue("whole", wording: "is wrong"))" == "is wrong (whole)")
  }
}
