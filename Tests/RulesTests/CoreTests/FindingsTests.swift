import Rules
import Testing

@Suite struct FindingsTests {
  private struct Inner: Sendable {
    var text = ""
  }

  private struct Outer: Sendable {
    var inner = Inner()
    var list = [""]
    var map = ["b": "", "a": ""]
  }

  private static let outer = Rule<Outer>.all(
    .field(\.inner, "inner", .field(\.text, "text", .notEmpty)),
    .field(\.list, "list", .each(.notEmpty)), .field(\.map, "map", .eachValue(.notEmpty)))

  @Test func `paths lead through fields, elements and keys in order`() {
    let paths = Self.outer.check(Outer()).issues.map(\.path.description)
    #expect(paths == ["inner.text", "list[0]", "map.a", "map.b"])
  }

  @Test func `a check for the first issue ends at the first one that is not advice`() {
    #expect(Self.outer.check(Outer(), .first).issues.count == 1)
    let advised = Rule.all(Rule.notEmpty.advised, .length(min: 2), .length(min: 3))
    #expect(advised.check("", .first).issues.map(\.code) == ["empty", "too-short"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `advice on each of many elements takes linear time`() {
    let rule = Rule<[Int]>.each(Rule.atLeast(0).advised)
    #expect(rule.isKept(by: Array(repeating: -1, count: 100_000)))
  }

  @Test func `advice refuses only in strict mode`() {
    let report = Rule.notEmpty.advised.check("")
    #expect(report.isValid)
    #expect(!report.isValid(strict: true))
    #expect(report.outcome == .failed)
    #expect(report.issues.map(\.severity) == [.should])
  }

  @Test func `issues are found by the path above them`() {
    let report = Self.outer.check(Outer())
    #expect(report.issues(at: "map").count == 2)
    #expect(report.issues(at: IssuePath([.field("inner"), .field("text")])).count == 1)
    #expect(report.issues(at: .whole).count == 4)
    #expect(report.issues(at: "other").isEmpty)
  }

  @Test func `a verdict carries its grounds`() {
    #expect(Rule.notEmpty.check("a").verdict == .passed)
    #expect(Rule.notEmpty.check("").verdict == .failed([Issue("empty")]))
    #expect(Rule.notEmpty.ifPresent.check(nil).verdict == .skipped("there is no value"))
    let undecided = Rule<Int> { _, findings in findings.leaveUndecided("who knows") }
    #expect((undecided && .pass).check(1).verdict == .undecided("who knows"))
  }

  @Test func `a condition decides whether a rule applies`() {
    let rule = Rule.notEmpty.when("no text is wanted") { $0 != "" }
    #expect(rule.check("").omissions == [Omission(.skipped, "no text is wanted")])
    #expect(rule.check("").outcome == .skipped)
    #expect(rule.check("a").outcome == .passed)
  }

  @Test func `a name is given to issues and omissions without one`() {
    let rule = (Rule.notEmpty.named("inner") && .length(min: 1)).named("outer")
    #expect(rule.check("").issues.map(\.rule) == ["inner", "outer"])
    let skipped = Rule.notEmpty.when { _ in false }.named("name")
    #expect(skipped.check("").omissions.map(\.rule) == ["name"])
  }

  @Test func `a rule can be applied to a transformed value`() {
    #expect(Rule<Int>.atLeast(2).after { (text: String) in text.count }.isKept(by: "ab"))
  }

  @Test(
    arguments: [
      (Parameter.of("a"), Parameter.text("a"), "a"), (.of(1), 1, "1"), (.of(UInt8(1)), 1, "1"),
      (.of(UInt64.max), .text("18446744073709551615"), "18446744073709551615"),
      (.of(1.5), 1.5, "1.5"), (.of(Float(1.5)), 1.5, "1.5"), (.of(Float(0.1)), 0.1, "0.1"),
      (.of(true), true, "true"),
      (.of(Severity.must), .text("must"), "must"),
      (["a", 1], .list([.text("a"), .integer(1)]), "a, 1"),
    ] as [(Parameter, Parameter, String)])
  func `a parameter keeps the kind of its value`(
    parameter: Parameter, expected: Parameter, text: String
  ) {
    #expect(parameter == expected)
    #expect(parameter.description == text)
  }

  @Test
  func `a catalogue's templates can be replaced, and codes without a template have a message`() {
    let french = MessageCatalogue.standard.replacing(["empty": "ne doit pas être vide"])
    #expect(french.message(for: Issue("empty")) == "ne doit pas être vide")
    #expect(french.message(for: Issue("required")) == "must be there")
    #expect(french.message(for: Issue("odd")) == "breaks the rule odd")
  }

  @Test func `an issue with an empty message of its own has the catalogue's message`() {
    let catalogue = MessageCatalogue.standard.replacing(["odd": "{path}"])
    #expect(catalogue.message(for: Issue("empty", wording: "")) == "must not be empty")
    #expect(
      catalogue.message(for: Issue("empty", parameters: ["label": .text("")], wording: "{label}"))
        == "must not be empty")
    #expect(catalogue.message(for: Issue("odd", wording: "{path}")) == "breaks the rule odd")
    #expect(catalogue.message(for: Issue("odd", path: "a")) == "a")
  }
}
