import Rules
import Testing

@Suite struct JSONNumberTests {
  private static func number(_ text: String) throws -> JSONNumber {
    try #require(JSONNumber(text))
  }

  @Test(arguments: [
    "0", "-0", "1", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1.50",
    "1E+05", "123456789012345678901234567890.000000000000000000001", "1e400", "5e-324",
  ])
  func `a number is written as it was read`(text: String) throws {
    #expect(try JSONValue(parsing: text).text() == text)
  }

  @Test(arguments: [
    ("1", "1.0"), ("1", "1e0"), ("100", "1e2"), ("0", "-0"), ("0", "0.000e7"), ("0.1", "1e-1"),
    ("18446744073709551615", "1844674407370955161.5e1"), ("1e400", "10e399"), ("-2.50", "-25e-1"),
    ("9223372036854775808", "9223372036854775808.0"),
  ])
  func `numbers in different notations are equal`(left: String, right: String) throws {
    #expect(try Self.number(left) == Self.number(right))
    #expect(try Set([Self.number(left), Self.number(right)]).count == 1)
    #expect(try !(Self.number(left) < Self.number(right)))
  }

  @Test(arguments: [
    ("-1e400", "-1e399"), ("-2", "-1"), ("-1", "-0.5"), ("-0.5", "0"), ("0", "1e-999999999"),
    ("0.1", "0.1000000000000000055"), ("9007199254740992", "9007199254740993"), ("9.9", "10"),
    ("9223372036854775807", "9223372036854775808"),
    ("18446744073709551615", "18446744073709551616"),
    ("1e399", "1e400"), ("0.99", "1"), ("-1", "9223372036854775808"), ("12", "12.5"),
  ])
  func `numbers are ordered exactly`(less: String, greater: String) throws {
    let (less, greater) = try (Self.number(less), Self.number(greater))
    #expect(less < greater)
    #expect(!(greater < less))
    #expect(less != greater)
  }

  @Test(
    arguments: [
      ("1.0", 1), ("1e2", 100), ("-12.50e1", -125), ("0.0", 0), ("1.5", nil), ("1e-1", nil),
      ("1e999999999", nil), ("9223372036854775807.0", .max), ("9223372036854775808", nil),
      ("-9223372036854775808.0", .min), ("-0", 0), ("100e-2", 1),
    ] as [(String, Int64?)])
  func `a whole number is an integer in any notation`(text: String, value: Int64?) throws {
    #expect(try Self.number(text).integer(as: Int64.self) == value)
  }

  @Test func `an integer that does not fit the type is nil`() throws {
    #expect(try Self.number("256").integer(as: UInt8.self) == nil)
    #expect(try Self.number("255").integer(as: UInt8.self) == 255)
    #expect(try Self.number("-1").integer(as: UInt.self) == nil)
    #expect(try Self.number("18446744073709551615").integer(as: UInt64.self) == .max)
    #expect(
      try Self.number("340282366920938463463374607431768211455").integer(as: UInt128.self) == .max)
  }

  @Test func `a whole number is distinguished from a fraction`() throws {
    #expect(try Self.number("1e999999999").isInteger)
    #expect(try Self.number("1.0").isInteger)
    #expect(try !Self.number("1.5").isInteger)
    #expect(try !Self.number("1e-3").isInteger)
  }

  @Test func `a number too big for Double has no Double value`() throws {
    #expect(try Self.number("1e400").double == nil)
    #expect(try Self.number("-1e400").double == nil)
    #expect(try Self.number("1.5").double == 1.5)
    #expect(try Self.number("18446744073709551615").double == 18_446_744_073_709_551_616)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `NaN and the infinities are refused with an error that says so`(value: Double) throws {
    let error = try #require(throws: JSONNumberError.self) { try JSONNumber(value) }
    #expect("\(error)" == "JSON has no \(value): use null, or a text that says so")
  }

  @Test(arguments: [0, -0.0, 1.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e16, 0.1])
  func `a Double is read back the same`(value: Double) throws {
    #expect(try JSONNumber(value).double == value)
  }

  @Test func `numbers with a million digits are compared`() throws {
    let text = String(repeating: "9", count: 1_000_000)
    #expect(try Self.number(text) == Self.number(text + ".0"))
    #expect(try Self.number(text).double == nil)
  }
}
