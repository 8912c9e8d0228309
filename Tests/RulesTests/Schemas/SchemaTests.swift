import Rules
import Testing

@Suite struct SchemaTests {
  private struct Trip: Sendable, Equatable {
    var title = "Alps"
    var note: String?
    var start = 1
    var end = 2
    var tags: [String] = []
    var cost = 1.5
    var level = Level.easy
    var days: Int { end - start }
  }

  private enum Level: String, JSONConvertible, Sendable { case easy, hard }

  private static func codes(_ report: Report) -> [String] {
    report.issues.map { "\($0.path) \($0.code)" }
  }

  @Test func `F-S01: fields and rules are checked in the order of declaration`() {
    let schema = Schema<Trip> {
      Field(\Trip.end, "end").rule(.atLeast(10)).rule(.atLeast(20))
      Rule.fields(\Trip.start, "start", .greater, \Trip.end, "end")
      Field(\Trip.title, "title").rule(.length(min: 9))
    }
    #expect(
      Self.codes(schema.check(Trip()))
        == ["end too-small", "end too-small", "start not-more-than", "title too-short"])
    #expect(Self.codes(schema.check(Trip(), .first)) == ["end too-small"])
  }

  @Test func `a schema without rules is kept by every model`() {
    #expect(Schema<Trip> {}.check(Trip()) == .valid)
    #expect(Schema<Trip> { Field(\Trip.title, "title") }.check(Trip()) == .valid)
  }

  @Test(
    arguments: [
      ("default", false), ("create", true), ("update", true), ("delete", false),
    ] as [(Scenario, Bool)])
  func `except wins over on`(scenario: Scenario, isAsked: Bool) {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").rule(
        .empty, on: ["create", "update", "delete"], except: ["delete", "default"])
    }
    #expect(schema.check(Trip(), in: scenario).isValid == !isAsked)
    #expect(schema.activeFields(in: scenario) == (isAsked ? ["title"] : []))
  }

  @Test func `a model-wide rule has scenarios, too`() {
    let schema = Schema<Trip> {
      ModelRule(.fields(\Trip.start, "start", .greater, \Trip.end, "end"), on: ["strict"])
    }
    #expect(schema.check(Trip()).isValid)
    #expect(Self.codes(schema.check(Trip(), in: "strict")) == ["start not-more-than"])
  }

  @Test func `an unknown scenario is an issue, and no rule is checked`() {
    let schema = Schema<Trip>(scenarios: ["import"]) { Field(\Trip.title, "title").trimmed() }
    var trip = Trip(title: " a ")
    let report = schema.check(trip, in: "imports")
    #expect(report.issues == [Issue("unknown-scenario", parameters: ["scenario": "imports"])])
    #expect(schema.normalise(trip, in: "imports") == trip)
    #expect(schema.activeFields(in: "imports").isEmpty)
    #expect(
      schema.assign(["title": "x"], to: &trip, in: "imports").rejected
        == ["title": .unknownScenario])
    #expect(schema.check(trip, in: "import").isValid)
  }

  @Test func `F-S02: emptiness is checked before the condition`() {
    let schema = Schema<Trip> {
      Field(\Trip.note, "note").rule(.length(min: 3)) { $0.start == 1 }
    }
    #expect(schema.check(Trip()).omissions.map(\.reason) == ["it is empty"])
    #expect(Self.codes(schema.check(Trip(note: "a"))) == ["note too-short"])
    let other = schema.check(Trip(note: "a", start: 2))
    #expect(other.isValid)
    #expect(other.omissions.map(\.reason) == ["its condition does not hold"])
    #expect(other.omissions.map(\.path) == ["note"])
  }

  @Test func `an empty optional field skips its rules unless they apply to empty values`() {
    let optional = Schema<Trip> { Field(\Trip.note, "note").rule(.length(min: 3)) }
    #expect(optional.check(Trip(note: "")).isValid)
    let asked = Schema<Trip> { Field(\Trip.note, "note").rule(.length(min: 3)).askedWhenEmpty() }
    #expect(!asked.check(Trip(note: "")).isValid)
    #expect(asked.check(Trip()).isValid)
    let plain = Schema<Trip> { Field(\Trip.title, "title").rule(.length(min: 3)) }
    #expect(!plain.check(Trip(title: "")).isValid)
    let lenient = Schema<Trip> { Field(\Trip.title, "title").rule(.length(min: 3)).optional() }
    #expect(lenient.check(Trip(title: "")).isValid)
    #expect(!lenient.check(Trip(title: "a")).isValid)
  }

  @Test func `a field can define its own notion of empty`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").empty { $0.allSatisfy(\.isWhitespace) }.required()
        .defaulting(to: "Untitled")
    }
    #expect(Self.codes(schema.check(Trip(title: " "))) == ["title required"])
    #expect(schema.normalise(Trip(title: " ")).title == "Untitled")
  }

  @Test func `a field can stop at its first issue, and the next field is still checked`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").rule(.length(min: 5)).rule(.containsDigit).stoppingAtFirst()
      Field(\Trip.end, "end").rule(.atLeast(3)).rule(.atLeast(4))
    }
    #expect(
      Self.codes(schema.check(Trip())) == ["title too-short", "end too-small", "end too-small"])
  }

  @Test func `a model-wide rule can wait for its fields`() {
    let schema = Schema<Trip> {
      Field(\Trip.end, "end").rule(.atLeast(1))
      ModelRule(
        .fields(\Trip.start, "start", .less, \Trip.end, "end"), unlessIssuesIn: ["start", "end"])
    }
    #expect(Self.codes(schema.check(Trip(end: 0))) == ["end too-small"])
    #expect(Self.codes(schema.check(Trip(end: 1))) == ["start not-less-than"])
    let after = Rule.all(.field(\Trip.end, "end", .atLeast(9)), schema.rule)
    #expect(Self.codes(after.check(Trip(end: 1))) == ["end too-small", "start not-less-than"])
  }

  @Test func `a conditional requirement is not listed as a requirement`() {
    let schema = Schema<Trip> {
      Field(\Trip.note, "note").required { $0.start > 1 }
    }
    #expect(schema.requiredFields().isEmpty)
    #expect(schema.check(Trip()).isValid)
    #expect(Self.codes(schema.check(Trip(start: 2))) == ["note required"])
  }

  @Test func `a label is a parameter of a field's issues`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title", label: "Title").rule(.length(min: 9)).required()
    }
    let issue = schema.check(Trip()).issues.first
    #expect(issue?.parameters["label"] == "Title")
    #expect(issue?.parameters["min"] == 9)
  }

  @Test func `F-S03: a subset of the fields is checked alone, whatever the others`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").rule(.empty)
      Field(\Trip.end, "end").rule(.atLeast(3))
      Rule.fields(\Trip.start, "start", .greater, \Trip.end, "end")
    }
    #expect(Self.codes(schema.check(Trip(), only: ["end"])) == ["end too-small"])
    #expect(
      Self.codes(schema.check(Trip(), only: ["title", "ende"]))
        == ["title not-empty", "ende unknown-field"])
  }

  @Test func `steps are applied in their order, and never by a check`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").trimmed().defaulting { "\($0.days) days" }.required()
    }
    let trip = Trip(title: "  ")
    #expect(schema.check(trip).isValid)
    #expect(schema.check(Trip(title: "")).issues.map(\.code) == ["required"])
    let admitted = schema.admit(trip)
    #expect(admitted.model.title == "1 days")
    #expect(admitted.report.isValid)
  }

  @Test func `F-S12: normalising twice is the same as once`() {
    let schema = Schema<Trip> {
      Field(\Trip.note, "note").trimmed().defaulting(to: "none")
      Field(\Trip.title, "title").defaulting(to: "")
    }
    let once = schema.normalise(Trip(title: "", note: " "))
    #expect(once == Trip(title: "", note: "none"))
    #expect(schema.normalise(once) == once)
  }

  @Test func `F-S11: numbers that differ beyond 24 bits differ`() {
    let schema = Schema<Trip> { Rule.fields(\Trip.start, "start", .equal, \Trip.end, "end") }
    #expect(!schema.check(Trip(start: 16_777_216, end: 16_777_217)).isValid)
  }

  @Test func `a schema can be used as a rule`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").required().rule(.empty, on: ["none"])
    }
    let trips = Rule<[Trip]>.each(schema.rule)
    #expect(Self.codes(trips.check([Trip(), Trip(title: "")])) == ["[1].title required"])
    #expect(!schema.rule(in: "none").isKept(by: Trip()))
  }

  @Test func `mass assignment reports assigned, rejected, unknown and mistyped values`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").safe()
      Field(\Trip.start, "start").safe()
      Field(\Trip.tags, "tags").safe()
      Field(\Trip.level, "level").safe()
      Field(\Trip.note, "note").safe().unsafe()
      Field(readOnly: \Trip.days, "days").safe()
      Field(\Trip.cost, "cost")
    }
    var trip = Trip()
    let assignment = schema.assign(
      [
        "title": "Jura", "start": 1.5, "tags": ["a", 1], "level": "mild", "note": "x", "days": 1,
        "cost": 2, "tittle": 1,
      ], to: &trip)
    #expect(assignment.assigned == ["title"])
    #expect(assignment.rejected == ["note": .unsafe, "days": .readOnly, "cost": .inactive])
    #expect(assignment.unknown == ["tittle"])
    #expect(
      assignment.wrongType.mapValues(\.description) == [
        "start":
          "number where a whole number from \(Int.min) to \(Int.max) should be",
        "tags": "[1]: integer where a text should be",
        "level": "string where one of the values of Level should be",
      ])
    #expect(trip == Trip(title: "Jura"))
    #expect(
      Self.codes(assignment.report) == [
        "level wrong-type", "start wrong-type", "tags[1] wrong-type", "cost not-assignable",
        "days not-assignable", "note not-assignable", "tittle unknown-field",
      ])
    #expect(assignment.report.issues.count { $0.severity == .must } == 3)
  }

  @Test func `all-or-nothing assignment assigns nothing when a value does not fit`() {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").safe()
      Field(\Trip.start, "start").safe()
    }
    var trip = Trip()
    let refused = schema.assign(["title": "Jura", "start": "x"], to: &trip, .allOrNothing)
    #expect(trip == Trip())
    #expect(refused.assigned.isEmpty)
    let done = schema.assign(["title": "Jura", "start": 1.0], to: &trip, .allOrNothing)
    #expect(done.assigned == ["title", "start"])
    #expect(trip == Trip(title: "Jura", start: 1))
  }

  private final class Box: Sendable {
    let names: [String] = ["a"]
  }

  @Test func `a read-only field of an object is checked`() {
    let schema = Schema<Box> { Field(readOnly: \Box.names, "names").rule(.count(2...3)) }
    #expect(Self.codes(schema.check(Box())) == ["names too-few"])
  }

  @Test func `F-S17: attributes read from a model can be assigned back`() throws {
    let schema = Schema<Trip> {
      Field(\Trip.title, "title").safe()
      Field(\Trip.note, "note").safe()
      Field(\Trip.tags, "tags").safe()
      Field(\Trip.cost, "cost").safe()
      Field(\Trip.level, "level").safe()
    }
    let trip = Trip(title: "Jura", note: nil, tags: ["a", "b"], cost: 0.1, level: .hard)
    var copy = Trip(note: "gone")
    let assignment = schema.assign(try schema.attributes(of: trip), to: &copy)
    #expect(assignment.isComplete)
    #expect(copy == trip)
  }

  @Test func `an attribute that is NaN is a clear error`() throws {
    let schema = Schema<Trip> { Field(\Trip.cost, "cost") }
    #expect(throws: JSONNumberError.self) { try schema.attributes(of: Trip(cost: .nan)) }
  }

  @Test func `a field of any type can be given a JSON form`() throws {
    let schema = Schema<Trip> {
      Field(\Trip.start, "start").json(
        decode: { (json) throws(JSONTypeError) in try String(json: json).count },
        encode: { .string(String(repeating: "x", count: $0)) }
      ).safe()
    }
    var trip = Trip()
    #expect(schema.assign(["start": "xxx"], to: &trip).isComplete)
    #expect(trip.start == 3)
    #expect(try schema.attributes(of: trip) == JSONObject([("start", "xxx")]))
  }
}
