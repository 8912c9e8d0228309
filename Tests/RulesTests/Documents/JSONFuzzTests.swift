import Rules
import Testing

/// Seeded noise: no input crashes the parser, and every parsed value is written back the same.
@Suite struct JSONFuzzTests {
  /// SplitMix64 (Steele, Lea and Flood, 2014).
  struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private static func value(_ noise: inout Noise, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &noise) {
    case 0: .null
    case 1: .boolean(Bool.random(using: &noise))
    case 2: .number(JSONNumber(Int64(bitPattern: noise.next())))
    case 3: .number(JSONNumber(floatLiteral: Double.random(in: -1e9...1e9, using: &noise)))
    case 4: .string(text(&noise))
    case 5, 6:
      .array(
        (0..<Int.random(in: 0...4, using: &noise)).map { _ in value(&noise, depth: depth - 1) })
    default:
      .object(
        JSONObject(
          (0..<Int.random(in: 0...12, using: &noise)).map { _ in
            (text(&noise), value(&noise, depth: depth - 1))
          }))
    }
  }

  private static func text(_ noise: inout Noise) -> String {
    let scalars = (0..<Int.random(in: 0...6, using: &noise)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &noise))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test(arguments: 0..<40)
  func `written JSON is read back the same`(seed: UInt64) throws {
    var noise = Noise(state: seed)
    for _ in 0..<20 {
      let value = Self.value(&noise, depth: 5)
      #expect(try JSONValue(parsing: value.text()) == value)
      #expect(try JSONValue(parsing: value.text(.pretty)).text() == value.text())
    }
  }

  @Test(arguments: 0..<40)
  func `damaged JSON is refused or read without a crash, and a refusal points into it`(
    seed: UInt64
  ) {
    var noise = Noise(state: seed)
    for _ in 0..<50 {
      var bytes = Self.value(&noise, depth: 3).bytes()
      for _ in 0..<3 where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &noise)] = UInt8.random(
          in: 0...255, using: &noise)
      }
      do throws(JSONSyntaxError) {
        let value = try JSONValue(parsing: bytes)
        #expect(throws: Never.self) { try JSONValue(parsing: value.bytes()) }
      } catch {
        #expect((0...bytes.count).contains(error.position.offset))
      }
    }
  }

  @Test(arguments: 0..<40)
  func `noise of JSON's own characters is refused or read`(seed: UInt64) {
    var noise = Noise(state: seed)
    let alphabet = Array("[]{},:\"\\u0123eE+-. \ntrufalsn\u{E9}".utf8)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...24, using: &noise)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &noise)]
      }
      do throws(JSONSyntaxError) {
        let value = try JSONValue(parsing: bytes)
        #expect(throws: Never.self) { try JSONValue(parsing: value.bytes()) }
      } catch {
        #expect((0...bytes.count).contains(error.position.offset))
      }
    }
  }
}
