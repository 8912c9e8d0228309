import Rules
import Testing

/// Scenarios, mass assignment and steps.
@Suite struct DocumentScenarioTests {
  @Test func `an unknown scenario is an issue`() throws {
    let schema = try DocumentSchema(json: ["fields": ["a": ["default": 1]]])
    #expect(schema.check([:], in: "no").issues.map(\.code) == ["unknown-scenario"])
    #expect(schema.normalise([:], in: "no") == [:])
  }

  @Test func `F-15 to F-20: scenarios list their fields, unsafe ones with a mark`() throws {
    let schema = try DocumentSchema(json: [
      "scenarios": [
        "default": ["bool"], "create": ["integer", "bool"], "update": ["!string", "bool"],
      ],
      "fields": [
        "bool": ["required": true], "integer": ["required": true, "on": ["create"]],
        "string": ["trim": true, "type": "string"],
      ],
    ])
    #expect(schema.scenarios == ["default", "create", "update"])
    #expect(schema.activeFields() == ["bool"])
    #expect(schema.activeFields(in: "create") == ["bool", "integer"])
    #expect(schema.requiredFields(in: "create") == ["bool", "integer"])
    #expect(schema.activeFields(in: "update") == ["bool", "string"])
    #expect(schema.safeFields(in: "update") == ["bool"])
    #expect(schema.requiredFields(in: "update") == ["bool"])
    #expect(schema.normalise(["string": " a "], in: "update") == ["string": "a"])
    #expect(schema.normalise(["string": " a "], in: "create") == ["string": " a "])
    #expect(schema.check([:], in: "create").issues.count == 2)
    #expect(schema.check([:]).issues.count == 1)
  }

  @Test func `mass assignment into a document reports the result for each value`() throws {
    let schema = try DocumentSchema(json: [
      "fields": [
        "title": ["type": "string"], "count": ["type": "integer"], "author": ["unsafe": true],
        "draft": ["on": ["draft"]],
      ]
    ])
    var document: JSONObject = ["title": "old"]
    let values: JSONObject = ["title": "new", "count": 1.5, "author": "x", "draft": 1, "titel": 1]
    let assignment = schema.assign(values, to: &document)
    #expect(assignment.assigned == ["title"])
    #expect(assignment.rejected == ["author": .unsafe, "draft": .inactive])
    #expect(assignment.unknown == ["titel"])
    #expect(assignment.wrongType.keys.sorted() == ["count"])
    #expect(document == ["title": "new"])
    var other: JSONObject = [:]
    #expect(!schema.assign(values, to: &other, .allOrNothing).isComplete)
    #expect(other.isEmpty)
    let trusted = schema.assign(["author": "x", "draft": 1], to: &other, includingUnsafe: true)
    #expect(trusted.assigned == ["author", "draft"])
    #expect(
      schema.assign(["title": "x"], to: &other, in: "no").rejected == ["title": .unknownScenario])
  }

  @Test func `steps are applied in their order, at every depth, and never by a check`() throws {
    let vocabulary = SchemaVocabulary(filters: ["first": { $0[0] ?? $0 }])
    let schema = try DocumentSchema(
      json: JSONValue(
        parsing: """
          {"fields": {
            "name": {"trim": true, "default": "nobody", "filter": ["collapseSpaces", "uppercase"]},
            "list": {"each": {"fields": {"a": {"default": 1}}}},
            "map": {"eachValue": {"fields": {"a": {"trim": true}}}},
            "item": {"filter": "first", "when": {"name": "present"}}
          }}
          """), vocabulary: vocabulary)
    let document: JSONValue = [
      "name": " a  b ", "list": [[:], ["a": 2]], "map": ["x": ["a": " y "]], "item": [7],
    ]
    #expect(
      schema.normalise(document) == [
        "name": "A B", "list": [["a": 1], ["a": 2]], "map": ["x": ["a": "y"]], "item": 7,
      ])
    #expect(schema.normalise(["name": "  "]) == ["name": "NOBODY"])
    #expect(schema.normalise([]) == [])
    #expect(schema.check(document).isValid)
  }

  @Test func `a step is not applied while the condition of its field does not hold`() throws {
    let schema = try DocumentSchema(json: [
      "fields": ["a": ["default": 1, "when": ["b": "present"]], "b": [:]]
    ])
    #expect(schema.normalise([:]) == [:])
    #expect(schema.normalise(["b": 2]) == ["a": 1, "b": 2])
  }
}
