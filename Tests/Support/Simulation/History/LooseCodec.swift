import FreshStore
import Synchronization

/// JSON of a number with more or less white space before it: as with a dictionary, equal values may
/// differ in their bytes.
final class LooseCodec: Codec {
  struct Failure: Error {}

  let identifier = "json"
  private let count = Atomic<Int>(0)

  func encode(_ value: Int) -> [UInt8] {
    let count = count.wrappingAdd(1, ordering: .relaxed).newValue
    return Array(repeating: UInt8(ascii: " "), count: count % 3) + Array("\(value)".utf8)
  }

  func decode(_ bytes: [UInt8]) throws -> Int {
    let digits = bytes.drop { $0 == UInt8(ascii: " ") }
    guard let value = Int(String(decoding: digits, as: UTF8.self)) else { throw Failure() }
    return value
  }

  func areSame(_ one: Int, _ other: Int) -> Bool { one == other }
}
