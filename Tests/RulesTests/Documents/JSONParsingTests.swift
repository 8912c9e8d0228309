import Rules
import Testing

@Suite struct JSONParsingTests {
  private static func problem(
    _ text: String, _ options: JSONParsingOptions = JSONParsingOptions()
  ) throws -> JSONSyntaxError {
    try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text, options) }
  }

  @Test(
    arguments: [
      ("null", JSONValue.null), ("true", true), ("false", false), ("0", 0), ("-1", -1),
      ("\"\"", ""), ("[]", []), ("{}", [:]), (" \t\r\n[ ] \n", []),
      ("[[],[[]],{}]", [[], [[]], [:]]),
      ("{\"\":0}", ["": 0]), ("{ \"a\" : [ 1 , 2 ] , \"b\" : null }", ["a": [1, 2], "b": nil]),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"), ("\"\\u0000\"", "\u{0}"),
      ("\"\\u00e9\\u20AC\"", "é€"), ("\"\\u00aa\"", "ª"), ("\"\\uD83D\\uDE00\"", "😀"),
      ("\"😀\u{7F}\u{2028}\"", "😀\u{7F}\u{2028}"),
      ("\"\\uFFFF\\u0022\"", "\u{FFFF}\""), ("1e3", 1000), ("[1.50]", [1.5]), ("-0.0", 0),
      ("{\"a\":{\"a\":{\"a\":1}}}", ["a": ["a": ["a": 1]]]), ("\"\\\\u0041\"", "\\u0041"),
    ] as [(String, JSONValue)])
  func `input allowed by RFC 8259 is read`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(arguments: [
    "", " ", "\n", "tru", "truE", "nul", "True", "undefined", "'a'", "\"", "\"a", "\"a\\\"", "\"\\",
    "\"\\x41\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u+123\"", "\"\\uD800\"", "\"\\uDC00\"",
    "\"\\uD800\\u0041\"",
    "\"\\uD800\\uD800\"", "\"\\uD800\\\"", "\"\t\"", "\"\n\"", "\"\u{0}\"", "\"\u{1F}\"", "[", "]",
    "[1",
    "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1:2]", "[1}", "[\"a\"", "{", "}", "{]", "{\"a\"",
    "{\"a\":",
    "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "{\"a\" 1}", "{\"a\",1}",
    "{1:1}",
    "{\"a\":1 \"b\":2}", "{\"a\":1}}", "[]]", "1 2", "[] []", "nullnull", "//", "[1] // x",
    "/* */1",
    "#\n1", "\u{FEFF}1", "\u{A0}1", "\u{B}1", "1\u{0}", "<a/>", "[1,2,3", "{\"a\":[}", "{\"a\"::1}",
  ])
  func `input forbidden by RFC 8259 is refused`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
  }

  @Test func `a lone surrogate is named in upper case`() throws {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: #""\udc0f""#) }
    #expect(error?.problem == .loneSurrogate("DC0F"))
  }

  @Test(arguments: [
    "01", "-01", "00", "1.", ".5", "-.5", "+1", "--1", "-", "1e", "1e+", "1e-", "1.e1", "1..2",
    "1.2.3",
    "0x10", "1_000", "NaN", "-NaN", "Infinity", "-Infinity", "1e1e1", "1,0", "0e", "1E+-2", "١",
    "1e9999999999999999999999", "1e-1000000000",
  ])
  func `a number outside the JSON grammar is refused`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(JSONNumber(text) == nil)
  }

  @Test(arguments: [
    ("[1,\n  2,\n  x]", 3, 3, 11), ("é\u{301}", 1, 1, 0), ("[\"é€😀\", x]", 1, 9, 14),
    ("[1,\r\n2,\r3,\n\nx]", 5, 1, 12), ("[1", 1, 3, 2), ("{\"a\":1,\n\"a\":2}", 2, 1, 8),
    ("[\n01]", 2, 1, 2),
  ])
  func `an error states line, column and offset`(text: String, line: Int, column: Int, offset: Int)
    throws
  {
    let position = try Self.problem(text).position
    #expect([position.line, position.column, position.offset] == [line, column, offset])
  }

  @Test func `an error states the problem and the remedy`() throws {
    #expect(
      try Self.problem("[1,]").description
        == "line 1, column 4: found ']' where a value (there is no comma after the last) should come"
    )
    #expect(
      try Self.problem("{\"a\": NaN}").description
        == "line 1, column 7: a malformed number: it begins with a digit, after at most one minus; "
        + "NaN and Infinity are not numbers")
    #expect(
      try Self.problem("\u{FEFF}1").description
        == "line 1, column 1: a byte order mark: save the text as UTF-8 without one")
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0x80, 0x22],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused at their place`(bytes: [UInt8]) throws {
    let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    #expect(error.problem == .notUTF8)
    #expect(error.position.offset == 1)
  }

  @Test func `a duplicate name in an object is an error, unless the caller chooses otherwise`()
    throws
  {
    let text = "{\"a\":1,\"b\":2,\"a\":[3]}"
    #expect(try Self.problem(text).problem == .duplicateName("a"))
    let first = try JSONValue(parsing: text, JSONParsingOptions(duplicateNames: .keepFirst))
    let last = try JSONValue(parsing: text, JSONParsingOptions(duplicateNames: .keepLast))
    #expect(first.text() == "{\"a\":1,\"b\":2}")
    #expect(last.text() == "{\"a\":[3],\"b\":2}")
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
  func `the depth limit is exact`(open: String, close: String) throws {
    let step = open.count { "[{".contains($0) }
    func nested(_ depth: Int) -> String {
      let count = depth / step
      return String(repeating: open, count: count) + "0" + String(repeating: close, count: count)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(512)) }
    #expect(try Self.problem(nested(512 + step)).problem == .tooDeep(limit: 512))
    #expect(try Self.problem("[[[]]]", JSONParsingOptions(depth: 2)).position.column == 3)
  }

  @Test func `a million open brackets do not overflow the stack`() throws {
    let text = String(repeating: "[", count: 1_000_000)
    #expect(try Self.problem(text).problem == .tooDeep(limit: 512))
    #expect(JSONParsingOptions(depth: .max).depth == JSONParsingOptions.greatestDepth)
    #expect(JSONParsingOptions(depth: -1).depth == 1)
  }

  @Test func `input beyond the size limit is refused before parsing`() throws {
    let options = JSONParsingOptions(bytes: 4)
    #expect(try JSONValue(parsing: "1234", options) == 1234)
    #expect(try Self.problem("12345", options).problem == .tooLong(count: 5, limit: 4))
  }

  @Test func `a text of 10 MiB is read whole`() throws {
    let length = 10 << 20
    let text = "\"" + String(repeating: "x", count: length) + "\""
    guard case .string(let string) = try JSONValue(parsing: text) else {
      Issue.record("not a text")
      return
    }
    #expect(string.utf8.count == length)
  }
}
