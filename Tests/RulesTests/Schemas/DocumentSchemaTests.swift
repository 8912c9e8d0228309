import Rules
import Testing

@Suite struct DocumentSchemaTests {
  @Test func `F-84, F-85: a rule of the program is used by name`() throws {
    let vocabulary = SchemaVocabulary(rules: ["even": Rule(code: "odd") { $0 == 2 }])
    let schema = try DocumentSchema(
      json: ["fields": ["a": ["rule": "even"]], "rules": [["rule": "even"]]], vocabulary: vocabulary
    )
    #expect(schema.check(["a": 1]).issues == [Issue("odd", path: "a"), Issue("odd")])
  }

  @Test func `text that is not JSON is an issue with its place`() throws {
    let rule = try DocumentSchema(json: ["type": "object"]).bytesRule()
    let issue = try #require(rule.check(Array("{\n  \"a\": NaN}".utf8)).issues.first)
    #expect(issue.code == "not-json")
    #expect(issue.parameters["line"] == 2)
    #expect(issue.parameters["column"] == 8)
    #expect(issue.parameters["offset"] == 9)
    #expect(rule.check(Array("[]".utf8)).issues.map(\.code) == ["wrong-type"])
    #expect(rule.isKept(by: Array("{}".utf8)))
  }

  @Test func `a check for the first issue ends there`() throws {
    let schema = try DocumentSchema(json: [
      "fields": ["a": ["min": 1, "places": 0], "b": ["min": 1]]
    ])
    #expect(schema.check(["a": 0.5, "b": 0], .first).issues.map(\.code) == ["too-small"])
    #expect(schema.check(["a": 0.5, "b": 0]).issues.count == 3)
  }

  @Test func `a document of 10 MiB and one of the greatest depth are checked`() throws {
    let schema = try DocumentSchema(json: ["length": ["max": 5], "each": ["each": ["min": 1]]])
    let text = "\"" + String(repeating: "x", count: 10 << 20) + "\""
    #expect(schema.bytesRule().check(Array(text.utf8)).issues.map(\.code) == ["too-long"])
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(schema.bytesRule().check(Array(deep.utf8)).issues.map(\.code) == ["wrong-type"])
    let deeper = Array(("[" + deep + "]").utf8)
    #expect(schema.bytesRule().check(deeper).issues.map(\.code) == ["not-json"])
  }
}
