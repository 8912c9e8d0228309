import Rules
import Testing

/// The acceptance facts of model validation by scenario, by their ids.
@Suite struct SchemaFactsTests {
  private struct Form: Sendable, Equatable {
    var bool = false
    var integer = 0
    var float: Float = 0
    var string: String?
    var array: [String]?
    var dictionary: [String: String]?
    var set: Set<String>?
    var number: Double?
  }

  private static let rulesA = Schema<Form> {
    Field(\Form.bool, "bool").required()
    Field(\Form.integer, "integer").required(on: ["create"])
    Field(\Form.float, "float").required(on: ["create"])
    Field(\Form.string, "string").trimmed(on: ["update"]).unsafe(in: ["update"])
    Field(\Form.array, "array")
    Field(\Form.dictionary, "dictionary")
    Field(\Form.set, "set")
    Field(\Form.number, "number")
  }

  @Test func `F-01 to F-09: a schema is separate from its type, also from one of another module`() {
    let schema = Schema<ClosedRange<Int>> {
      Field(readOnly: \ClosedRange<Int>.lowerBound, "lowerBound").rule(.atLeast(0))
    }
    let strict = Schema<ClosedRange<Int>> {
      Field(readOnly: \ClosedRange<Int>.lowerBound, "lowerBound").rule(.atLeast(1))
    }
    #expect(schema.check(0...2).isValid)
    #expect(strict.check(0...2).issues.map(\.code) == ["too-small"])
  }

  @Test func `F-10: a model that breaks no rule has no issues, in all and per field`() {
    let report = Self.rulesA.check(Form())
    #expect(report.issues.isEmpty)
    #expect(report.issues(at: "bool").isEmpty)
    #expect(report.isValid)
  }

  @Test func `F-11: issues are kept per field, in order`() {
    var report = Report([Issue("first", path: "bool")])
    #expect(report.issues(at: "bool").map(\.code) == ["first"])
    #expect(report.issues(at: "integer").isEmpty)
    report = report.merging(Report([Issue("second", path: "bool")]))
    report = report.merging(Report([Issue("third", path: "integer")]))
    #expect(report.issues(at: "bool").map(\.code) == ["first", "second"])
    #expect(report.issues.map(\.code) == ["first", "second", "third"])
    #expect(!report.isValid)
  }

  @Test func `F-12: issues of a field can be taken out of a report, and all`() {
    var report = Report([
      Issue("a", path: "bool"), Issue("b", path: "integer"), Issue("c", path: "float"),
    ])
    report.issues.removeAll { $0.path == "bool" }
    #expect(report.issues.map(\.code) == ["b", "c"])
    report.issues.removeAll()
    #expect(report.isValid)
  }

  @Test func `F-13: the scenario is default unless stated`() {
    #expect(Self.rulesA.activeFields() == Self.rulesA.activeFields(in: "default"))
    #expect(Scenario.default.rawValue == "default")
  }

  @Test func `F-14: there are exactly three scenarios`() {
    #expect(Self.rulesA.scenarios == ["default", "create", "update"])
  }

  @Test(
    arguments: [
      ("F-15", "default", ["bool"]), ("F-16", "create", ["bool", "integer", "float"]),
      ("F-17", "update", ["bool", "string"]),
    ] as [(String, Scenario, [String])])
  func `F-15 to F-17: a scenario has its active fields`(
    fact: String, scenario: Scenario, fields: [String]
  ) {
    #expect(Self.rulesA.activeFields(in: scenario) == fields)
  }

  @Test(arguments: ["default", "create"] as [Scenario])
  func `F-18, F-19: required, active and safe are the same fields`(scenario: Scenario) {
    let active = Self.rulesA.activeFields(in: scenario)
    #expect(Self.rulesA.requiredFields(in: scenario) == active)
    #expect(Self.rulesA.safeFields(in: scenario) == active)
  }

  @Test func `F-20: in update bool is required and safe, string active and unsafe`() {
    #expect(Self.rulesA.requiredFields(in: "update") == ["bool"])
    #expect(Self.rulesA.activeFields(in: "update") == ["bool", "string"])
    #expect(Self.rulesA.safeFields(in: "update") == ["bool"])
  }

  @Test func `F-21: the schema lists exactly its eight fields`() {
    #expect(
      Self.rulesA.fieldNames
        == ["bool", "integer", "float", "string", "array", "dictionary", "set", "number"])
  }

  @Test func `F-22: direct assignment works for a field outside the scenario`() {
    var form = Form()
    form.string = "new"
    #expect(Self.rulesA.check(form).isValid)
    #expect(form.string == "new")
  }

  @Test func `F-23: mass assignment in default changes bool only`() {
    var form = Form()
    let assignment = Self.rulesA.assign(["string": "new", "bool": true], to: &form)
    #expect(form == Form(bool: true))
    #expect(assignment.assigned == ["bool"])
    #expect(assignment.rejected == ["string": .inactive])
  }

  @Test func `F-24: mass assignment of unsafe and inactive fields changes nothing`() {
    var form = Form()
    let assignment = Self.rulesA.assign(["string": "new", "float": 1.5], to: &form, in: "update")
    #expect(form == Form())
    #expect(assignment.rejected == ["string": .unsafe, "float": .inactive])
    #expect(!assignment.isComplete)
  }

  @Test func `F-25: with unsafe fields included both change`() {
    var form = Form()
    let assignment = Self.rulesA.assign(
      ["string": "new", "bool": true], to: &form, includingUnsafe: true)
    #expect(form == Form(bool: true, string: "new"))
    #expect(assignment.isComplete)
  }

  @Test func `F-26: all attributes are eight, and nil is null`() throws {
    #expect(
      try JSONValue.object(Self.rulesA.attributes(of: Form())) == [
        "bool": false, "integer": 0, "float": 0, "string": nil, "array": nil, "dictionary": nil,
        "set": nil, "number": nil,
      ])
  }

  @Test func `F-27, F-28, F-29: attributes are chosen by name and by exception`() throws {
    let form = Form()
    #expect(try Self.rulesA.attributes(of: form, only: ["bool", "set"]).names == ["bool", "set"])
    #expect(try Self.rulesA.attributes(of: form, except: ["bool", "set"]).count == 6)
    #expect(
      try Self.rulesA.attributes(of: form, only: ["bool", "set"], except: ["set"]).names == ["bool"]
    )
  }

  @Test func `F-31, F-32: the rules active in default are those of bool`() {
    #expect(Self.rulesA.activeFields() == ["bool"])
    #expect(Self.rulesA.requiredFields() == ["bool"])
  }

  @Test func `F-33: false is not empty`() {
    #expect(Self.rulesA.check(Form(bool: false)).issues.isEmpty)
  }

  @Test func `F-34: a padded text is trimmed in update, and only there`() {
    let form = Form(string: "  padded ")
    #expect(Self.rulesA.admit(form, in: "update").model.string == "padded")
    #expect(Self.rulesA.admit(form, in: "update").report.isValid)
    #expect(Self.rulesA.normalise(form, in: "create") == form)
  }

  private struct Probe<Value: Sendable>: Sendable {
    var value: Value
  }

  private static func isEmpty<Value: Sendable>(_ value: Value) -> Bool {
    !Schema<Probe<Value>> { Field(\Probe<Value>.value, "value").required() }
      .check(Probe(value: value)).isValid
  }

  @Test func `F-38, F-39: nil and null are empty`() {
    #expect(Self.isEmpty(String?.none))
    #expect(Self.isEmpty([String]?.none))
    #expect(Self.isEmpty(Int?.none))
    #expect(Self.isEmpty(JSONValue.null))
    #expect(!Self.isEmpty(Int?.some(0)))
  }

  @Test func `F-40, F-41: the empty text is empty, another is not`() {
    #expect(Self.isEmpty(""))
    #expect(Self.isEmpty(String?.some("")))
    #expect(Self.isEmpty(JSONValue.string("")))
    #expect(!Self.isEmpty("value"))
    #expect(!Self.isEmpty(String?.some("value")))
    #expect(!Self.isEmpty(" "))
  }

  @Test func `F-42 to F-49: collections without elements are empty, others are not`() {
    #expect(Self.isEmpty([Int]()))
    #expect(!Self.isEmpty([1]))
    #expect(Self.isEmpty([String: Int]()))
    #expect(!Self.isEmpty(["a": 1]))
    #expect(Self.isEmpty(Set<Int>()))
    #expect(!Self.isEmpty(Set([1])))
    #expect(Self.isEmpty(JSONValue.array([])))
    #expect(!Self.isEmpty(JSONValue.object(JSONObject([("a", 1)]))))
    #expect(Self.isEmpty([Int]?.some([])))
    #expect(!Self.isEmpty(0))
    #expect(!Self.isEmpty(false))
  }

  private static let required = Schema<Form> {
    Field(\Form.string, "string").required(on: ["update"])
  }

  @Test func `F-50, F-51: a required nil has exactly one issue, a text none`() {
    #expect(
      Self.required.check(Form(), in: "update").issues == [Issue("required", path: "string")])
    #expect(Self.required.check(Form(string: "new string"), in: "update").isValid)
  }

  @Test func `F-52: a required value is demanded by a rule that is checked even when empty`() {
    let schema = Schema<Form> {
      Field(\Form.string, "string").rule(Rule<String?>.equals("test string"), skipsEmpty: false)
    }
    #expect(schema.check(Form(string: "new string")).issues.map(\.code) == ["not-equal"])
    #expect(schema.check(Form()).issues.map(\.code) == ["not-equal"])
    #expect(schema.check(Form(string: "test string")).isValid)
  }

  @Test func `F-63, F-64: a default replaces nil and keeps a text`() {
    let schema = Schema<Form> { Field(\Form.string, "string").defaulting(to: "constant") }
    #expect(schema.normalise(Form(string: "value")).string == "value")
    #expect(schema.normalise(Form()).string == "constant")
    #expect(schema.normalise(Form(string: "")).string == "constant")
  }

  @Test func `F-65, F-66: a default can be made from the model`() {
    let schema = Schema<Form> {
      Field(\Form.string, "string").defaulting { "number \($0.integer)" }
    }
    #expect(schema.normalise(Form(integer: 7)).string == "number 7")
  }

  @Test func `F-82, F-83: a filter replaces the value by its result`() {
    let schema = Schema<Form> {
      Field(\Form.string, "string").filtered { $0?.uppercased() }
      Field(\Form.integer, "integer").filtered { value, form in value + (form.string?.count ?? 0) }
    }
    #expect(schema.normalise(Form(integer: 1, string: "abc")) == Form(integer: 4, string: "ABC"))
  }

  @Test func `F-84, F-85: a closure or a function adds its issue to the field`() {
    @Sendable func complain(_ value: Int, _ findings: inout Findings) -> Outcome {
      findings.fail(Issue("custom", wording: "my words"))
    }
    let schema = Schema<Form> {
      Field(\Form.bool, "bool").rule(Rule { _, findings in findings.fail(Issue("inline")) })
      Field(\Form.integer, "integer").rule(Rule(complain))
    }
    #expect(
      schema.check(Form()).issues == [
        Issue("inline", path: "bool"), Issue("custom", path: "integer", wording: "my words"),
      ])
  }

  @Test(arguments: [
    ("  test string   ", "test string"), ("\n\ta\u{A0}", "a"), ("   ", ""), ("", ""),
    ("a b", "a b"),
  ])
  func `F-87: trim removes white space at both ends`(text: String, trimmed: String) {
    let schema = Schema<Form> { Field(\Form.string, "string").trimmed() }
    #expect(schema.normalise(Form(string: text)).string == trimmed)
    #expect(schema.normalise(Form()).string == nil)
  }

  @Test func `F-88: trim of letters stops at the first other character`() {
    let schema = Schema<Form> { Field(\Form.string, "string").trimmed(of: \.isLetter) }
    #expect(schema.normalise(Form(string: "test string   ")).string == " string   ")
  }

  @Test func `F-89: without rules mass assignment changes nothing`() {
    let schema = Schema<Form> { Field(\Form.string, "string") }
    var form = Form()
    #expect(schema.assign(["string": "new"], to: &form).rejected == ["string": .inactive])
    #expect(form == Form())
  }

  @Test func `F-90: a field marked safe is assigned`() {
    let schema = Schema<Form> { Field(\Form.string, "string").safe() }
    var form = Form()
    #expect(schema.assign(["string": "new"], to: &form).assigned == ["string"])
    #expect(form.string == "new")
  }
}
