import Rules
import Testing

@Suite struct DocumentSchemaTests {
  private static func codes(
    _ schema: JSONValue, _ document: JSONValue, in scenario: Scenario = .default
  ) throws -> [String] {
    try DocumentSchema(json: schema).check(document, in: scenario).issues.map {
      $0.path.components.isEmpty ? $0.code : "\($0.path) \($0.code)"
    }
  }

  /// A schema, a value that keeps it, one that does not, and the code of the issue.
  @Test(
    arguments: [
      (["equals": 1], 1.0, 2, "not-equal"), (["differsFrom": "a"], "b", "a", "equal"),
      (["oneOf": ["a", 1]], 1, "b", "not-allowed"), (["noneOf": ["a"]], "b", "a", "forbidden"),
      (["type": "integer"], 1.0, 1.5, "wrong-type"), (["type": "number"], 1, "1", "wrong-type"),
      (["type": ["string", "null"]], nil, 1, "wrong-type"),
      (["type": "string", "nullable": true], nil, 1, "wrong-type"),
      (["nullable": true, "oneOf": ["a"]], nil, "b", "not-allowed"),
      (["type": "boolean"], false, 0, "wrong-type"), (["type": "null"], nil, 0, "wrong-type"),
      (["type": "object"], [:], [], "wrong-type"), (["type": "array"], [], [:], "wrong-type"),
      (["length": ["min": 2]], "é€", "é", "too-short"),
      (["length": ["max": 1]], "é", "ab", "too-long"),
      (["length": ["exactly": 2, "unit": "utf8"]], "é", "e", "wrong-length"),
      (["length": ["max": 2]], "ab", 1, "wrong-type"), (["notEmpty": true], " ", "", "empty"),
      (["notBlank": true], "a", " ", "blank"), (["singleLine": true], "a", "a\n", "several-lines"),
      (["noHiddenCharacters": true], "a", "a\u{200B}", "hidden-character"),
      (["matches": ["pattern": "a+", "extent": "whole"]], "aa", "aab", "no-match"),
      (
        ["matches": ["pattern": "A", "extent": "search", "case": "insensitive"]], "bab", "b",
        "no-match"
      ),
      (
        [
          "matches": [["pattern": "a", "extent": "prefix"], ["pattern": "b", "extent": "search"]]
        ], "ab", "aa", "no-match"
      ),
      (["doesNotMatch": ["pattern": "a", "extent": "search"]], "b", "ba", "forbidden-match"),
      (["contains": "b"], "abc", "ac", "does-not-contain"),
      (["startsWith": "a"], "ab", "ba", "wrong-beginning"),
      (["endsWith": "a"], "ba", "ab", "wrong-end"),
      (["containsDigit": true], "a1", "a", "no-digit"),
      (["containsUppercase": true], "aA", "a", "no-uppercase"),
      (["containsLowercase": true], "aA", "A", "no-lowercase"),
      (["containsSpecialCharacter": true], "a!", "a", "no-special-character"),
      (["onlyLetters": true], "ab", "a1", "not-only-letters"),
      (["onlyDigits": true], "12", "1a", "not-only-digits"),
      (["onlyLettersAndDigits": true], "a1", "a_", "not-only-letters-and-digits"),
      (["onlyASCII": true], "a~", "é", "not-only-ascii"),
      (["integerText": true], "-12", "1.5", "not-an-integer"),
      (["numberText": true], "1.5", "x", "not-a-number"),
      (["email": true], "a@b.com", "a@b", "not-an-email"),
      (["url": ["schemes": ["ftp"]]], "ftp://a.be", "http://a.be", "not-a-url"),
      (["url": true], "https://a.be", "https://localhost", "not-a-url"),
      (["url": ["host": "any"]], "https://localhost", "localhost", "not-a-url"),
      (["ip": ["version": "v4"]], "10.0.0.1", "::1", "not-an-ip-address"),
      (["ipNetwork": true], "10.0.0.0/8", "10.0.0.1/33", "not-an-ip-network"),
      (["domain": true], "a.be", "a", "not-a-domain-name"),
      (["domain": ["labels": 1]], "a", "-", "not-a-domain-name"),
      (["phone": ["separators": true]], "+32 9 123 45 67", "x", "not-a-phone-number"),
      (["card": ["types": ["visa"]]], "4111111111111111", "5500000000000004", "not-a-card-number"),
      (["luhn": true], "79927398713", "79927398710", "wrong-check-digit"),
      (["iban": ["spaces": true]], "BE68 5390 0754 7034", "BE68539007547035", "not-an-iban"),
      (["postalCode": ["country": "BE"]], "9000", "90000", "not-a-postal-code"),
      (["date": true], "2024-02-29", "2023-02-29", "not-a-time"),
      (["time": true], "23:59:59", "24:00:01", "not-a-time"),
      (["localDateTime": true], "2024-02-29T10:00:00", "2024-02-29", "not-a-time"),
      (["instant": true], "2024-02-29T10:00:00Z", "2024-02-29T10:00:00", "not-a-time"),
      (
        ["uuid": true], "123e4567-e89b-12d3-A456-426614174000", "123e4567e89b12d3a456426614174000",
        "not-a-uuid"
      ),
      (
        ["uuid": true], "00000000-0000-0000-0000-00000000000f",
        "00000000-0000-0000-0000-00000000000g", "not-a-uuid"
      ),
      (["min": 1], 1, 0.999, "too-small"), (["max": 1], 1.0, 1.0001, "too-big"),
      (["greaterThan": 0], 0.1, 0, "not-greater"), (["lessThan": 0], -0.1, 0, "not-less"),
      (["min": 1], 2, "2", "wrong-type"), (["multipleOf": 0.05], 1.15, 1.16, "not-a-multiple"),
      (["multipleOf": 30], 90, 10, "not-a-multiple"),
      (["multipleOf": 0.5], 1.5, 0.15, "not-a-multiple"),
      (["multipleOf": 7], 0, 1e300, "not-a-multiple"),
      (["multipleOf": 0.3], 3e300, 1e300, "not-a-multiple"),
      (["places": 2], 1.5, 1.005, "too-precise"),
      (["places": 0], 1e3, 0.1, "too-precise"),
      (["each": ["min": 0]], [1, 2], [1, -1], "[1] too-small"),
      (["count": ["min": 1]], [1], [], "too-few"),
      (["count": ["max": 1]], [1], [1, 2], "too-many"),
      (["count": ["exactly": 1]], [1], [1, 2], "too-many"),
      (["distinct": true], [1, 2], [1, 1.0], "[1] repeated"),
      (["someOf": [1, 2]], [0, 1], [0], "none-allowed"),
      (["notAllOf": [1, 2]], [1, 3], [1, 2], "all-forbidden"),
      (["eachValue": ["min": 0]], ["a": 1], ["a": 1, "b": -1], "b too-small"),
      (["not": ["min": 5]], 4, 5, "must-not"),
      (["all": [["min": 1], ["max": 2]]], 2, 3, "too-big"),
      (["skipEmpty": true, "length": ["min": 2]], "", "a", "too-short"),
    ] as [(JSONValue, JSONValue, JSONValue, String)])
  func `a key is kept or broken with its code`(
    schema: JSONValue, good: JSONValue, bad: JSONValue, code: String
  ) throws {
    #expect(try Self.codes(schema, good) == [])
    #expect(try Self.codes(schema, bad) == [code])
  }

  @Test func `every issue of these keys has words with its figures filled in`() throws {
    let schema = try DocumentSchema(json: [
      "fields": [
        "a": ["greaterThan": 1, "min": 2, "lessThan": 0, "max": 0, "places": 0, "multipleOf": 1],
        "b": ["type": "string", "uuid": true], "c": ["uuid": true], "d": ["equals": 1],
        "e": ["length": ["min": 2]],
      ],
      "unknownFields": "refuse",
      "rules": [
        ["compare": ["a", "==", "b"]], ["atLeastOneOf": ["e"]], ["exactlyOneOf": ["a", "b"]],
        ["atMostOneOf": ["a", "b"]], ["allOrNoneOf": ["a", "e"]],
      ],
    ])
    let document: JSONValue = ["a": 0.5, "b": 1, "c": "", "d": 2, "f": 1]
    let issues = schema.check(document).issues + schema.check(document, in: "none").issues
    #expect(Set(issues.map(\.code)).count == 16)
    for issue in issues + schema.bytesRule().check([0x5B]).issues {
      #expect(!issue.message.contains("{"), "\(issue)")
      #expect(!issue.message.hasPrefix("breaks the rule"), "\(issue)")
    }
  }

  @Test func `any reports what none of its schemas allow, and is kept by one`() throws {
    let schema: JSONValue = ["any": [["email": true], ["min": 10]]]
    #expect(try Self.codes(schema, 10) == [])
    #expect(try Self.codes(schema, "a@b.be") == [])
    #expect(try Self.codes(schema, 9) == ["wrong-type", "too-small"])
  }

  @Test func `keys about different types are asked of the values they are about`() throws {
    let schema: JSONValue = ["length": ["max": 2], "min": 10]
    #expect(try Self.codes(schema, "abc") == ["too-long"])
    #expect(try Self.codes(schema, 9) == ["too-small"])
    #expect(try Self.codes(schema, true) == ["wrong-type"])
    #expect(try Self.codes(["type": ["string", "number"], "min": 10], "a") == [])
  }

  @Test func `the keys are asked in the order in which they are written`() throws {
    let forth = try JSONValue(parsing: "{\"length\":{\"min\":9},\"containsDigit\":true}")
    let back = try JSONValue(parsing: "{\"containsDigit\":true,\"length\":{\"min\":9}}")
    #expect(try Self.codes(forth, "a") == ["too-short", "no-digit"])
    #expect(try Self.codes(back, "a") == ["no-digit", "too-short"])
  }

  @Test(
    arguments: [
      ("true", ["required", "required", "required", "required", nil, nil]),
      ("\"notEmpty\"", ["required", "required", "required", "required", nil, nil]),
      ("\"notBlank\"", ["required", "required", "required", "required", "blank", nil]),
      ("\"present\"", ["required", nil, nil, nil, nil, nil]),
      ("false", [nil, nil, nil, nil, nil, nil]),
    ] as [(String, [String?])])
  func `required has its degrees`(required: String, codes: [String?]) throws {
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

  @Test func `nested objects and lists lead the path`() throws {
    let schema: JSONValue = [
      "fields": ["orders": ["each": ["fields": ["city": ["notEmpty": true]]]]]
    ]
    #expect(
      try Self.codes(schema, ["orders": [["city": "a"], ["city": ""], [:]]])
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

  @Test func `F-S09: none of a list and not all of a list are two rules`() throws {
    let none: JSONValue = ["each": ["noneOf": [1, 2]]]
    #expect(try Self.codes(none, [1, 3]) == ["[0] forbidden"])
    #expect(try Self.codes(["notAllOf": [1, 2]], [1, 3]) == [])
    #expect(try Self.codes(["notAllOf": [1, 2]], [1, 2]) == ["all-forbidden"])
  }

  @Test func `a condition looks at siblings`() throws {
    let schema: JSONValue = [
      "fields": [
        "vat": ["required": true, "when": ["country": ["oneOf": ["BE"]], "private": "absent"]],
        "country": ["type": "string"], "private": ["type": "boolean"],
      ]
    ]
    #expect(try Self.codes(schema, ["country": "BE"]) == ["vat required"])
    #expect(try Self.codes(schema, ["country": "NL"]) == [])
    #expect(try Self.codes(schema, [:]) == [])
    #expect(try Self.codes(schema, ["country": "BE", "private": true]) == [])
  }

  @Test func `advice, words, names and labels go with the issues`() throws {
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

  @Test func `a message is for the value itself, not for its parts`() throws {
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
  func `F-S06, F-S07: two fields that are there are compared, exactly and within one kind`(
    relation: String, left: JSONValue, right: JSONValue, code: String?
  ) throws {
    let schema: JSONValue = ["rules": [["compare": ["a", .string(relation), "b"]]]]
    #expect(try Self.codes(schema, ["a": left, "b": right]) == (code.map { ["a \($0)"] } ?? []))
    #expect(try Self.codes(schema, ["a": left]) == [])
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
      #expect(try Self.codes(schema, document) == (code.map { [$0] } ?? []))
    }
  }

  @Test func `a rule between fields has scenarios, a condition, words and a weight`() throws {
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

  @Test func `mass assignment into a document tells what became of each value`() throws {
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

  @Test func `steps are taken in their order, at every depth, and never by a check`() throws {
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

  @Test func `a step is not taken while the condition of its field does not hold`() throws {
    let schema = try DocumentSchema(json: [
      "fields": ["a": ["default": 1, "when": ["b": "present"]], "b": [:]]
    ])
    #expect(schema.normalise([:]) == [:])
    #expect(schema.normalise(["b": 2]) == ["a": 1, "b": 2])
  }

  @Test func `F-84, F-85: a rule of the program is named`() throws {
    let vocabulary = SchemaVocabulary(rules: ["even": Rule(code: "odd") { $0 == 2 }])
    let schema = try DocumentSchema(
      json: ["fields": ["a": ["rule": "even"]], "rules": [["rule": "even"]]], vocabulary: vocabulary
    )
    #expect(schema.check(["a": 1]).issues == [Issue("odd", path: "a"), Issue("odd")])
  }

  @Test func `a text that is not JSON is an issue with its place`() throws {
    let rule = try DocumentSchema(json: ["type": "object"]).bytesRule()
    let issue = try #require(rule.check(Array("{\n  \"a\": NaN}".utf8)).issues.first)
    #expect(issue.code == "not-json")
    #expect(issue.parameters["line"] == 2)
    #expect(issue.parameters["column"] == 8)
    #expect(issue.parameters["offset"] == 9)
    #expect(rule.check(Array("[]".utf8)).issues.map(\.code) == ["wrong-type"])
    #expect(rule.isKept(by: Array("{}".utf8)))
  }

  @Test func `a check for the first issue ends with it`() throws {
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
