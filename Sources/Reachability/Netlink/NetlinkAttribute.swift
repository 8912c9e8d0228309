/// One attribute of a netlink message: a length, a kind and a payload, padded to four bytes.
struct NetlinkAttribute: Equatable {
  // Of a route (`RTA_…`).
  static let destination: UInt16 = 1
  static let source: UInt16 = 2
  static let interface: UInt16 = 4
  static let gateway: UInt16 = 5
  static let preferredSource: UInt16 = 7
  static let multipath: UInt16 = 9
  static let gatewayOfOtherFamily: UInt16 = 18
  static let nextHop: UInt16 = 30

  // Of a next-hop object (`NHA_…`).
  static let nextHopNumber: UInt16 = 1
  static let nextHopGroup: UInt16 = 2
  static let nextHopBlackhole: UInt16 = 4
  static let nextHopInterface: UInt16 = 5
  static let nextHopGateway: UInt16 = 6

  let kind: UInt16
  let payload: ArraySlice<UInt8>

  /// Splits the bytes into attributes. `nil` when an attribute claims more bytes than there are, so that a
  /// truncated message never counts as a whole one.
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

  /// The payload of the first attribute of each kind; `nil` where ``list(in:)`` is `nil`.
  static func payloads(in bytes: ArraySlice<UInt8>) -> [UInt16: ArraySlice<UInt8>]? {
    list(in: bytes).map { attributes in
      Dictionary(attributes.map { ($0.kind, $0.payload) }) { first, _ in first }
    }
  }
}

extension Int {
  /// The offset of the next part of a netlink message.
  var roundedUpToFour: Int { (self + 3) & ~3 }
}

extension ArraySlice<UInt8> {
  /// The number in the machine's order at `offset` from the start, if so many bytes are there.
  func native<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number? {
    let part = dropFirst(offset).prefix(Number.bitWidth / 8)
    guard part.count == Number.bitWidth / 8 else { return nil }
    // Read as big-endian, and swapped back on a little-endian machine.
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

  /// Appends an attribute; the payload's length is a multiple of four bytes.
  mutating func append(_ kind: UInt16, payload: [UInt8]) {
    append(native: UInt16(4 + payload.count))
    append(native: kind)
    self += payload
  }
}
