import Rules
import Testing

/// The requirements of a schema on the fields of an object and on their relations.
@Suite struct DocumentFieldTests {
  @Test(
    arguments: [
      ("true", ["required", "required", "required", "required", nil, nil]),
      ("\"notEmpty\"", ["required", "required", "required", "required", nil, nil]),
      ("\"notBlank\"", ["required", "required", "required", "required", "blank", nil]),
      ("\"present\"", ["required", nil, nil, nil, nil, nil]),
      ("false", [nil, nil, nil, nil, nil, nil]),
    ] as [(String, [String?])])
  func `required has several degrees`(required: String, codes: [String?]) throws {
    let schema = try DocumentSchema(
      json: JSONValue(parsing: "{\"fields\":{\"a\":{\"required\":\(required)}}}"))
    let documents = [
      "{}", "{\"a\":null}", "{\"a\":\"\"}", "{\"a\":[]}", "{\"a\":\" \"}", "{\"a\":0}",
    ]
    for (document, code) in zip(documents, codes) {
      let issues = try schema.check(JSONValue(parsing: document)).issues
      #expect(issues == (code.map { [Issue($0, path: "a")] } ?? []), "\(document)")
    }
  }

  @Test func `nested objects and lists extend the path`() throws {
    let schema: JSONValue = [
      "fields": ["orders": ["each": ["fields": ["city": ["notEmpty": true]]]]]
    ]
    #expect(
      try DocumentSchema.codes(schema, ["orders": [["city": "a"], ["city": ""], [:]]])
        == ["orders[1].city empty"])
  }

  @Test(arguments: [("allow", []), ("refuse", [Severity.must]), ("advise", [.should])])
  func `unknown fields are allowed, refused or advised against`(way: String, severity: [Severity])
    throws
  {
    let schema = try DocumentSchema(
      json: ["fields": ["a": [:]], "unknownFields": .string(way)])
    let issues = schema.check(["a": 1, "b": 2]).issues
    #expect(issues.map(\.severity) == severity)
    #expect(issues.allSatisfy { $0.code == "unknown-field" && $0.path == "b" })
  }

  @Test func `a check for the first issue ends with the first unknown field`() throws {
    let schema = try DocumentSchema(json: ["fields": [:], "unknownFields": "refuse"])
    #expect(schema.check(["a": 1, "b": 2], .first).issues.map(\.path) == ["a"])
    #expect(schema.check(["a": 1, "b": 2]).issues.map(\.path) == ["a", "b"])
  }

  @Test func `a condition can refer to sibling fields`() throws {
    let schema: JSONValue = [
      "fields": [
        "vat": ["required": true, "when": ["country": ["oneOf": ["BE"]], "private": "absent"]],
        "country": ["type": "string"], "private": ["type": "boolean"],
      ]
    ]
    #expect(try DocumentSchema.codes(schema, ["country": "BE"]) == ["vat required"])
    #expect(try DocumentSchema.codes(schema, ["country": "NL"]) == [])
    #expect(try DocumentSchema.codes(schema, [:]) == [])
    #expect(try DocumentSchema.codes(schema, ["country": "BE", "private": true]) == [])
  }

  @Test func `advice, messages, names and labels appear in the issues`() throws {
    let schema = try DocumentSchema(json: [
      "fields": [
        "a": ["min": 3, "message": "needs {min}", "name": "floor", "label": "Amount"],
        "b": ["should": ["min": 3]], "c": ["min": 3, "severity": "should"],
      ]
    ])
    let issues = schema.check(["a": 1, "b": 1, "c": 1]).issues
    #expect(issues.map(\.message).first == "needs 3")
    #expect(issues.map(\.rule) == ["floor", nil, nil])
    #expect(issues.map(\.severity) == [.must, .should, .should])
    #expect(issues.first?.parameters == ["min": 3, "label": "Amount"])
  }

  @Test func `a message applies to the value itself, not to its parts`() throws {
    let schema = try DocumentSchema(json: [
      "fields": ["a": ["min": 3, "message": "inner"]], "unknownFields": "refuse",
      "message": "outer", "rules": [["atLeastOneOf": ["a"]]],
    ])
    #expect(schema.check(["a": 1]).issues.map(\.message) == ["inner"])
    #expect(schema.check([:]).issues.map(\.message) == ["outer"])
  }

  @Test(
    arguments: [
      ("<=", 1, 2, nil), ("<=", 2, 1, "more-than"), ("<", 1, 1.0, "not-less-than"),
      ("==", 1, 1.0, nil),
      ("!=", "a", "a", "same-as"), ("<", "2024-01-01", "2024-02-01", nil),
      (">", "a", "b", "not-more-than"),
      ("==", [1], [1.0], nil), ("!=", true, false, nil), ("!=", 1, "1", "not-comparable"),
      ("==", 1, "1", "not-comparable"), ("<", true, false, "not-comparable"), ("<", nil, 1, nil),
      (">=", 1, 2, "less-than"), ("==", "a", "b", "differs-from"),
    ] as [(String, JSONValue, JSONValue, String?)])
  func `F-S06, F-S07: two present fields are compared, exactly and within one type`(
    relation: String, left: JSONValue, right: JSONValue, code: String?
  ) throws {
    let schema: JSONValue = ["rules": [["compare": ["a", .string(relation), "b"]]]]
    #expect(
      try DocumentSchema.codes(schema, ["a": left, "b": right]) == (code.map { ["a \($0)"] } ?? []))
    #expect(try DocumentSchema.codes(schema, ["a": left]) == [])
  }

  @Test(
    arguments: [
      ("atLeastOneOf", ["none-of-fields", nil, nil]),
      ("atMostOneOf", [nil, nil, "several-of-fields"]),
      ("exactlyOneOf", ["not-one-of-fields", nil, "not-one-of-fields"]),
      ("allOrNoneOf", [nil, "some-of-fields", nil]),
    ] as [(String, [String?])])
  func `fields are counted`(key: String, codes: [String?]) throws {
    let schema = JSONValue.object(["rules": [.object([key: ["a", "b"]])]])
    for (document, code) in zip([["a": nil], ["a": 1], ["a": 1, "b": 2]] as [JSONValue], codes) {
      #expect(try DocumentSchema.codes(schema, document) == (code.map { [$0] } ?? []))
    }
  }

  @Test func `a rule between fields has scenarios, a condition, a message and a severity`() throws {
    let schema = try DocumentSchema(json: [
      "rules": [
        [
          "compare": ["a", "<", "b"], "on": ["strict"], "except": ["lax"], "when": ["c": "present"],
          "severity": "should", "message": "words", "name": "order",
        ]
      ]
    ])
    let document: JSONValue = ["a": 2, "b": 1, "c": 0]
    let issues = schema.check(document, in: "strict").issues
    #expect(issues.map(\.message) == ["words"])
    #expect(issues.map(\.rule) == ["order"])
    #expect(issues.map(\.severity) == [.should])
    #expect(schema.check(document).issues.isEmpty)
    #expect(schema.check(document, in: "lax").issues.isEmpty)
    #expect(schema.check(["a": 2, "b": 1], in: "strict").issues.isEmpty)
  }
}
