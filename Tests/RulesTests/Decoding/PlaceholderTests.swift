import Testing

@testable import Rules

/// The emptiest value of a type, which replaces one that cannot be decoded.
@Suite struct PlaceholderTests {
  /// One value of each kind that every decoder knows by itself.
  private struct Kinds: Decodable, Equatable {
    var isSet = false
    var text = ""
    var double = 0.0
    var float: Float = 0
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var int128: Int128 = 0
    var uint128: UInt128 = 0
    var list: [Int] = []
    var missing: Int?
  }

  @Test func `every field is false, zero, empty or missing`() {
    #expect(PlaceholderDecoder.value(of: Kinds.self) == Kinds())
  }

  @Test func `a list counts the placeholders that are decoded from it`() throws {
    var list = PlaceholderList(decoder: PlaceholderDecoder(codingPath: []))
    #expect(list.isAtEnd && list.count == 0 && list.currentIndex == 0)
    #expect(try list.decode(Int.self) == 0)
    #expect(try list.decode(String.self) == "")
    #expect(try list.decode(Int128.self) == 0)
    #expect(try list.decode(UInt128.self) == 0)
    #expect(list.currentIndex == 4)
  }
}
