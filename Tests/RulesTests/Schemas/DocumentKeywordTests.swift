import Rules
import Testing

/// The requirements that each key of a schema puts on a value.
@Suite struct DocumentKeywordTests {
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
      (["multipleOf": 2], 4, 3, "not-a-multiple"), (["multipleOf": 8], 1e3, 1e2, "not-a-multiple"),
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
    #expect(try DocumentSchema.codes(schema, good) == [])
    #expect(try DocumentSchema.codes(schema, bad) == [code])
  }

  @Test func `every issue of these keys has a message with its figures filled in`() throws {
    let schema = try DocumentSchema(json: [
      "fields": [
        "a": ["greaterThan": 1, "min": 2, "places": 0, "multipleOf": 1],
        "g": ["lessThan": 0, "max": 0],
        "b": ["type": "string", "uuid": true], "c": ["uuid": true], "d": ["equals": 1],
        "e": ["length": ["min": 2]],
      ],
      "unknownFields": "refuse",
      "rules": [
        ["compare": ["a", "==", "b"]], ["atLeastOneOf": ["e"]], ["exactlyOneOf": ["a", "b"]],
        ["atMostOneOf": ["a", "b"]], ["allOrNoneOf": ["a", "e"]],
      ],
    ])
    let document: JSONValue = ["a": 0.5, "b": 1, "c": "", "d": 2, "f": 1, "g": 0.5]
    let issues = schema.check(document).issues + schema.check(document, in: "none").issues
    #expect(Set(issues.map(\.code)).count == 16)
    for issue in issues + schema.bytesRule().check([0x5B]).issues {
      #expect(!issue.message.contains("{"), "\(issue)")
      #expect(!issue.message.hasPrefix("breaks the rule"), "\(issue)")
    }
  }

  @Test func `any reports the issues of all its schemas when none is kept, and one is enough`()
    throws
  {
    let schema: JSONValue = ["any": [["email": true], ["min": 10]]]
    #expect(try DocumentSchema.codes(schema, 10) == [])
    #expect(try DocumentSchema.codes(schema, "a@b.be") == [])
    #expect(try DocumentSchema.codes(schema, 9) == ["wrong-type", "too-small"])
  }

  @Test func `keys for different types apply to values of their type`() throws {
    let schema: JSONValue = ["length": ["max": 2], "min": 10]
    #expect(try DocumentSchema.codes(schema, "abc") == ["too-long"])
    #expect(try DocumentSchema.codes(schema, 9) == ["too-small"])
    #expect(try DocumentSchema.codes(schema, true) == ["wrong-type"])
    #expect(try DocumentSchema.codes(["type": ["string", "number"], "min": 10], "a") == [])
  }

  @Test func `the keys are checked in the order of the document`() throws {
    let forth = try JSONValue(parsing: "{\"length\":{\"min\":9},\"containsDigit\":true}")
    let back = try JSONValue(parsing: "{\"containsDigit\":true,\"length\":{\"min\":9}}")
    #expect(try DocumentSchema.codes(forth, "a") == ["too-short", "no-digit"])
    #expect(try DocumentSchema.codes(back, "a") == ["no-digit", "too-short"])
  }

  @Test func `F-S09: noneOf and notAllOf are two rules`() throws {
    let none: JSONValue = ["each": ["noneOf": [1, 2]]]
    #expect(try DocumentSchema.codes(none, [1, 3]) == ["[0] forbidden"])
    #expect(try DocumentSchema.codes(["notAllOf": [1, 2]], [1, 3]) == [])
    #expect(try DocumentSchema.codes(["notAllOf": [1, 2]], [1, 2]) == ["all-forbidden"])
  }
}
