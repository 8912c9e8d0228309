import FoundationEssentials
import Rules
import Testing

/// The substitute for a value that cannot be decoded, so that the rest is checked, too.
@Suite struct SubstituteTests {
  private struct Unruled<Value: Sendable>: RuleProvider {
    static var rule: Rule<Value> { .pass }
  }

  /// A property of some type that is missing, before one that breaks its rule.
  private struct Broken<Value: Decodable & Sendable>: Decodable {
    @Must<Unruled<Value>> var first: Value
    @Must<Filled> var last: String
  }

  private enum Size: String, Decodable, CaseIterable { case small, large }
  private enum Colour: String, Decodable { case red }
  private struct Point: Decodable, Sendable {
    var x: Double
    var y: Float
    var labels: [String]
    var parts: [String: Point]
    var size: Size
    var origin: Client
    var isSet: Bool
    var numbers: Numbers
    var next: [Point]?
  }
  private struct Numbers: Decodable, Sendable {
    var a: Int8, b: Int16, c: Int32, d: Int64, e: UInt, f: UInt8, g: UInt16, h: UInt32, i: UInt64
  }
  private final class Endless: Decodable, Sendable {
    let next: Endless
  }
  private struct Pair: Decodable, Sendable {
    let first: Int
    let second: Double
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      first = try list.decode(Int.self)
      second = try list.decode(Double.self)
    }
  }

  private func lines<Value: Decodable & Sendable>(_ type: Value.Type) -> [String]? {
    failure { () throws(VerificationError) in
      try JSONDecoder().decode(verify: Broken<Value>.self, from: json(#"{"last":""}"#))
    }?.lines
  }

  @Test func `decoding continues after a property whose type has an empty value`() {
    let expected = ["first required", "last empty"]
    #expect(lines(Int.self) == expected)
    #expect(lines(String.self) == expected)
    #expect(lines([Int: String].self) == expected)
    #expect(lines(Set<Int>.self) == expected)
    #expect(lines(Date.self) == expected)
    #expect(lines(Size.self) == expected)
    #expect(lines(Point.self) == expected)
    #expect(lines(Pair.self) == expected)
  }

  @Test func `decoding ends at a property whose type has no empty value`() {
    #expect(lines(Colour.self) == ["first required"])
    #expect(lines(Endless.self) == ["first required"])
  }
}
