import Rules
import Testing

@Suite struct SchemaErrorTests {
  private static func error(_ text: String) throws -> SchemaError {
    try #require(throws: SchemaError.self) { try DocumentSchema(parsing: Array(text.utf8)) }
  }

  @Test(arguments: [
    (
      "{\"lenght\": {\"max\": 1}}",
      "the schema: there is no key \"lenght\" here; did you mean \"length\"?"
    ),
    (
      "{\"fields\": {\"a\": {\"lenght\": 1}}}",
      "fields.a: there is no key \"lenght\" here; did you mean \"length\"?"
    ),
    ("{\"xyzzy\": 1}", "the schema: there is no key \"xyzzy\" here"),
    ("{\"length\": {\"maximum\": 1}}", "length: the key \"min\" is missing"),
    (
      "{\"length\": {\"max\": 1, \"unitt\": 1}}",
      "length: there is no key \"unitt\" here; did you mean \"unit\"?"
    ),
    (
      "{\"length\": {\"max\": 1, \"unit\": \"byte\"}}",
      "length.unit: there is no unit of length \"byte\""
    ),
    ("{\"length\": {\"min\": 2, \"max\": 1}}", "length: \"min\" 2 is more than \"max\" 1"),
    (
      "{\"length\": {\"exactly\": 2, \"max\": 1}}",
      "length: \"exactly\" stands alone, without \"min\" and \"max\""
    ),
    ("{\"length\": {\"max\": -1}}", "length.max: a whole number from 0 belongs here, not integer"),
    ("{\"length\": {\"max\": 1.5}}", "length.max: a whole number from 0 belongs here, not number"),
    ("{\"length\": 3}", "length: an object belongs here, not integer"),
    ("{\"type\": \"strin\"}", "type: there is no type \"strin\"; did you mean \"string\"?"),
    ("{\"type\": []}", "type: an empty list means nothing here"),
    (
      "{\"type\": \"number\", \"length\": {\"max\": 1}}",
      "the schema: \"length\" is about values of type string, not number"
    ),
    ("{\"min\": \"1\"}", "min: a number belongs here, not string"),
    ("{\"email\": false}", "email: an object belongs here, not boolean"),
    (
      "{\"notBlank\": false}",
      "notBlank: only true belongs here: a rule is left out, not switched off"
    ),
    ("{\"postalCode\": {\"country\": \"XX\"}}", "postalCode.country: there is no country \"XX\""),
    ("{\"postalCode\": {}}", "postalCode: the key \"country\" is missing"),
    (
      "{\"url\": {\"host\": \"dooted\"}}",
      "url.host: there is no kind of host \"dooted\"; did you mean \"dotted\"?"
    ),
    ("{\"multipleOf\": 0}", "multipleOf: a step is more than 0 and has at most 18 digits"),
    ("{\"any\": []}", "any: an empty list means nothing here"),
    (
      "{\"any\": [{\"min\": 1}, {\"mix\": 1}]}",
      "any[1]: there is no key \"mix\" here; did you mean \"min\"?"
    ),
    ("{\"required\": true}", "the schema: \"required\" belongs to a field, not here"),
    (
      "{\"fields\": {\"a\": {\"scenarios\": {}}}}",
      "fields.a: \"scenarios\" belongs to the whole document, not here"
    ),
    (
      "{\"fields\": {\"a\": {\"required\": \"yes\"}}}",
      "fields.a.required: there is no kind of presence \"yes\""
    ),
    (
      "{\"fields\": {\"a\": {\"required\": true, \"nullable\": true}}}",
      "fields.a: null is empty: with \"nullable\" say \"required\": \"present\""
    ),
    (
      "{\"fields\": {\"a\": {\"type\": \"string\", \"default\": 1}}}",
      "fields.a: the default is not of the type of its field"
    ),
    (
      "{\"fields\": {\"a\": {\"when\": {\"c\": \"present\"}}, \"b\": {}}}",
      "the schema: there is no field \"c\"; did you mean \"a\"?"
    ),
    (
      "{\"fields\": {\"a\": {\"when\": {\"a\": \"presence\"}}}}",
      "fields.a.when.a: there is no condition \"presence\"; did you mean \"present\"?"
    ),
    (
      "{\"any\": [{\"fields\": {\"a\": {\"trim\": true}}}]}",
      "any[0].fields.a.trim: steps stand where they are always taken: not inside all, any, not, should"
    ),
    ("{\"rule\": \"x\"}", "rule: there is no rule \"x\""),
    (
      "{\"rules\": [{\"compare\": [\"a\", \"=<\", \"b\"]}]}",
      "rules[0].compare[1]: there is no relation \"=<\"; did you mean \"==\"?"
    ),
    (
      "{\"rules\": [{\"compare\": [\"a\"]}]}",
      "rules[0].compare: a comparison is a field, a relation and a field, such as [\"a\", \"<\", \"b\"]"
    ),
    (
      "{\"rules\": [{\"atLeastOne\": [\"a\"]}]}",
      "rules[0]: there is no key \"atLeastOne\" here; did you mean \"atLeastOneOf\"?"
    ),
    (
      "{\"rules\": [{\"on\": [\"a\"]}]}",
      "rules[0]: an entry of rules states one thing: rule or one of compare, atLeastOneOf, atMostOneOf, exactlyOneOf, allOrNoneOf"
    ),
    (
      "{\"fields\": {\"a\": {}}, \"rules\": [{\"atLeastOneOf\": [\"a\", \"bb\"]}]}",
      "the schema: there is no field \"bb\""
    ),
    (
      "{\"scenarios\": {\"x\": [\"!ttle\"]}, \"fields\": {\"title\": {}}}",
      "scenarios.x[0]: there is no field \"ttle\"; did you mean \"title\"?"
    ),
    ("{\"scenarios\": {\"x\": []}}", "scenarios: the key \"fields\" is missing"),
    (
      "{\"scenarios\": {\"create\": []}, \"fields\": {\"a\": {\"on\": [\"craete\"]}}}",
      "fields.a.on: there is no scenario \"craete\"; did you mean \"create\"?"
    ),
    ("[]", "the schema: an object belongs here, not array"),
    ("{\"fields\": []}", "fields: an object belongs here, not array"),
    ("{\"fields\": {\"a\": 1}}", "fields.a: an object belongs here, not integer"),
    ("{\"each\": [1]}", "each: an object belongs here, not array"),
    ("{\"unknownFields\": \"deny\"}", "unknownFields: there is no way \"deny\""),
  ])
  func `a malformed schema is refused with its place and a remedy`(text: String, message: String)
    throws
  {
    #expect(try Self.error(text).description == message)
  }

  @Test(arguments: ["a(", "[", "a{2,1}", "*", "(?=a)", "\\\\1"])
  func `F-S10, F-108: a malformed pattern is refused with its reason`(pattern: String) throws {
    let text = "{\"matches\": {\"pattern\": \"\(pattern)\", \"extent\": \"whole\"}}"
    let error = try Self.error(text)
    #expect(error.path.description == "matches.pattern")
    guard case .malformedPattern(let reason) = error.problem else {
      Issue.record("another problem: \(error)")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func `a pattern without its extent is refused`() throws {
    #expect(
      try Self.error("{\"matches\": {\"pattern\": \"a\"}}").problem == .missing("extent"))
    #expect(
      try Self.error("{\"matches\": {\"extent\": \"whole\"}}").problem == .missing("pattern"))
  }

  @Test func `F-81: an unknown filter is refused when the schema is read`() throws {
    #expect(
      try Self.error("{\"fields\": {\"a\": {\"filter\": \"lowercas\"}}}").problem
        == .unknownName(kind: "filter", name: "lowercas", nearest: "lowercase"))
  }

  @Test func `F-86: an unknown rule is refused when the schema is read`() throws {
    #expect(
      try Self.error("{\"requierd\": true}").problem
        == .unknownKey("requierd", nearest: "required"))
  }

  @Test func `F-S05: an unsafe mark in a rule is not part of a field's name`() throws {
    #expect(
      try Self.error("{\"fields\": {\"a\": {}}, \"rules\": [{\"atLeastOneOf\": [\"!a\"]}]}").problem
        == .unknownName(kind: "field", name: "!a", nearest: "a"))
  }

  @Test func `F-S08: an unknown relation is refused when the schema is read`() throws {
    #expect(
      try Self.error("{\"rules\": [{\"compare\": [\"a\", \"~\", \"b\"]}]}").path.description
        == "rules[0].compare[1]")
  }

  @Test func `swapped letters count as one mistake`() throws {
    #expect(try Self.error("{\"nto\": {}}").problem == .unknownKey("nto", nearest: "not"))
    #expect(try Self.error("{\"nxx\": {}}").problem == .unknownKey("nxx", nearest: nil))
  }

  @Test func `a schema with steps may follow a schema without steps`() throws {
    let schema = try DocumentSchema(json: ["all": [[:]], "fields": ["a": ["trim": true]]])
    #expect(schema.normalise(["a": " b "]) == ["a": "b"])
  }

  @Test func `an error about a schema that is not JSON states its place`() throws {
    #expect(
      try Self.error("{\"min\": }").description
        == "the schema: not JSON: line 1, column 9: found '}' where a value "
        + "(there is no comma after the last) should come")
  }

  @Test func `schemas nested too deeply are refused, others are applied`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "{\"not\":", count: depth) + "{}" + String(repeating: "}", count: depth)
    }
    #expect(try Self.error(nested(64)).problem == .tooDeep(limit: 64))
    #expect(try Self.error(nested(400)).problem == .tooDeep(limit: 64))
    let schema = try DocumentSchema(parsing: Array(nested(63).utf8))
    #expect(!schema.check(1).isValid)
    let wide = JSONValue.array(Array(repeating: ["not": ["min": 1]], count: 100))
    #expect(throws: Never.self) { try DocumentSchema(json: ["all": wide]) }
  }

  @Test func `a key of 10 MiB is refused and shortened in the error`() throws {
    let error = try Self.error("{\"\(String(repeating: "x", count: 10 << 20))\": 1}")
    #expect(error.description.utf8.count < 200)
  }

  @Test(arguments: [
    ("min", "5", "max", "2"), ("min", "5", "lessThan", "5"), ("greaterThan", "5", "max", "5"),
    ("greaterThan", "5", "lessThan", "5"), ("min", "1e3", "max", "999.5"),
  ])
  func `bounds without a number in between are a contradiction`(
    low: String, lower: String, high: String, upper: String
  ) throws {
    let bounds = "\"\(low)\": \(lower), \"\(high)\": \(upper)"
    #expect(
      try Self.error("{\"fields\": {\"a\": {\(bounds)}}}").problem
        == .contradiction("no number keeps both \"\(low)\" and \"\(high)\""))
  }

  @Test func `bounds that leave one number are no contradiction`() throws {
    let text = "{\"fields\": {\"a\": {\"min\": 5, \"max\": 5.0}}}"
    _ = try DocumentSchema(parsing: Array(text.utf8))
  }
}
