@testable import Reachability

/// The laws that ``NetlinkAttribute`` and its numbers keep for any bytes.
enum AttributeLaws {
  /// The laws for a datagram: for the attributes of a route, and for those of a next-hop object.
  static func check(_ datagram: [UInt8]) {
    checkList(datagram.dropFirst(28))
    checkList(datagram.dropFirst(24))
    checkNumbers(datagram.suffix(20))
  }

  private static func checkList(_ bytes: ArraySlice<UInt8>) {
    let whole = NetlinkAttribute.list(in: bytes)
    law("the same bytes have the same attributes", NetlinkAttribute.list(in: bytes) == whole)
    guard let whole else { return }
    let length = whole.reduce(0) { $0 + ($1.payload.count + 4).roundedUpToFour }
    law("attributes take all the bytes, and no more", length == bytes.count.roundedUpToFour)
    for count in stride(from: 0, to: bytes.count, by: max(bytes.count / 64, 1)) {
      guard let part = NetlinkAttribute.list(in: bytes.prefix(count)) else { continue }
      law("the attributes of a part are the first of the whole", whole.starts(with: part))
    }
  }

  private static func checkNumbers(_ bytes: ArraySlice<UInt8>) {
    for offset in 0...bytes.count {
      let number: UInt32? = bytes.native(at: offset)
      law("a number needs all its bytes", (number != nil) == (offset + 4 <= bytes.count))
      let long = bytes.dropFirst(offset)
      law("a long number has 1 to 16 bytes", (long.networkNumber != nil) == (1...16 ~= long.count))
    }
  }
}
