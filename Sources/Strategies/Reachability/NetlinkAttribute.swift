/// One attribute of a netlink message: a length, a kind and a payload, padded to four bytes.
struct NetlinkAttribute: Equatable {
  static let destination: UInt16 = 1
  static let interface: UInt16 = 4
  static let gateway: UInt16 = 5
  static let preferredSource: UInt16 = 7
  static let multipath: UInt16 = 9

  let kind: UInt16
  let payload: ArraySlice<UInt8>

  /// Splits the bytes into attributes; `nil` when one claims more bytes than there are, so that a
  /// message cut short is never taken for a whole one.
  static func list(in bytes: ArraySlice<UInt8>) -> [NetlinkAttribute]? {
    var attributes: [NetlinkAttribute] = []
    var rest = bytes
    while !rest.isEmpty {
      guard let length: UInt16 = rest.native(at: 0), let kind: UInt16 = rest.native(at: 2),
        length >= 4, Int(length) <= rest.count
      else { return nil }
      // The two highest bits are flags of the payload's form.
      attributes.append(
        NetlinkAttribute(kind: kind & 0x3FFF, payload: rest.prefix(Int(length)).dropFirst(4)))
      rest = rest.dropFirst(Int(length).roundedUpToFour)
    }
    return attributes
  }
}

extension Int {
  /// Where the next part of a netlink message begins.
  var roundedUpToFour: Int { (self + 3) & ~3 }
}

extension ArraySlice<UInt8> {
  /// The number in the machine's order at `offset` from the start, if so many bytes are there.
  func native<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number? {
    let part = dropFirst(offset).prefix(Number.bitWidth / 8)
    guard part.count == Number.bitWidth / 8 else { return nil }
    // Read as big-endian, which on such a machine is right and elsewhere is swapped back.
    return part.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }.bigEndian
  }

  /// All the bytes as a number in network order; `nil` when there are none or more than 16.
  var networkNumber: UInt128? {
    guard !isEmpty, count <= 16 else { return nil }
    return reduce(0) { $0 << 8 | UInt128($1) }
  }
}

extension [UInt8] {
  /// Appends a number in the machine's order.
  mutating func append(native number: some FixedWidthInteger & UnsignedInteger) {
    let width = number.bitWidth
    let swapped = number.bigEndian
    for index in 0..<(width / 8) {
      append(UInt8(truncatingIfNeeded: swapped >> (width - 8 - 8 * index)))
    }
  }
}
