import Rules
import Testing

@Suite struct JSONConvertibleTests {
  @Test(
    arguments: [
      ("0", 0), ("255", 255), ("1.0", 1), ("2e2", 200), ("256", nil), ("-1", nil), ("1.5", nil),
      ("\"1\"", nil), ("true", nil), ("null", nil), ("1e999999999", nil),
    ] as [(String, UInt8?)])
  func `an integer is read by its value, exactly`(text: String, value: UInt8?) throws {
    let json = try JSONValue(parsing: text)
    if let value {
      #expect(try UInt8(json: json) == value)
    } else {
      let error = try #require(throws: JSONTypeError.self) { try UInt8(json: json) }
      #expect(error.expected == "a whole number from 0 to 255")
    }
  }

  @Test func `values are not converted between types`() {
    #expect(throws: JSONTypeError.self) { try Bool(json: 1) }
    #expect(throws: JSONTypeError.self) { try String(json: 1) }
    #expect(throws: JSONTypeError.self) { try Double(json: "1") }
    #expect(throws: JSONTypeError.self) { try [Int](json: [:]) }
    #expect(throws: JSONTypeError.self) { try [String: Int](json: []) }
    #expect(throws: JSONTypeError.self) { try String(json: nil) }
  }

  @Test func `a number too big for its type is refused`() throws {
    let big = try JSONValue(parsing: "1e300")
    #expect(try Double(json: big) == 1e300)
    #expect(throws: JSONTypeError.self) { try Float(json: big) }
    #expect(throws: JSONTypeError.self) { try Double(json: JSONValue(parsing: "1e400")) }
  }

  @Test func `null is nil`() throws {
    #expect(try Int?(json: nil) == nil)
    #expect(try Int?(json: 1) == 1)
    #expect(try [Int?](json: [1, nil]) == [1, nil])
    #expect(try [Int?]([1, nil]).json() == [1, nil])
  }

  @Test func `an error inside a container states its place`() throws {
    let error = try #require(throws: JSONTypeError.self) {
      try [String: [Int]](json: ["a": [1], "b": [1, "x"]])
    }
    #expect(error.description.hasPrefix("b[1]: string where a whole number"))
  }

  @Test func `a set has no duplicates and a fixed order`() throws {
    #expect(try Set<String>(json: ["b", "a"]) == ["a", "b"])
    #expect(try Set(["b", "a", "c"]).json() == ["a", "b", "c"])
    #expect(throws: JSONTypeError.self) { try Set<Int>(json: [1, 1.0]) }
  }

  @Test func `a dictionary is written in the order of its keys`() throws {
    #expect(try ["b": 1, "a": 2].json().text() == "{\"a\":2,\"b\":1}")
  }

  @Test func `a Float is written in its shortest form`() throws {
    #expect(try Float(0.1).json().text() == "0.1")
    #expect(throws: JSONNumberError.self) { try Float.nan.json() }
  }
}
