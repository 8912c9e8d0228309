internal import Platform

/// Addresses of peers that are named together, as in `10.0.0.0/8`.
package struct PeerNetwork: Sendable, Hashable {
  /// An address as a number, and of how many bits that is.
  private struct Address: Sendable, Hashable {
    let value: UInt128
    let width: Int
  }

  private let base: Address
  /// The bits from the first one that an address has in common with the base.
  private let length: Int

  /// Reads an address alone, or with the number of bits that count; `nil` for any other text, names included.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let base = Self.address(String(parts[0])) else { return nil }
    self.base = base
    guard parts.count == 2 else {
      length = base.width
      return
    }
    guard (1...3).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(parts[1]), length <= base.width
    else { return nil }
    self.length = length
  }

  /// True for an address of the network; false for a text that is none.
  func contains(_ text: String) -> Bool {
    guard let address = Self.address(text), address.width == base.width else { return false }
    return (address.value ^ base.value) >> (base.width - length) == 0
  }

  /// The address as it is told others, an IPv4 address without what a socket for both versions puts before it; `nil`
  /// for a text that is none.
  static func plain(_ text: String) -> (text: String, isOfVersion6: Bool)? {
    guard let address = address(text) else { return nil }
    guard address.width == 32 else { return (text, true) }
    return ([24, 16, 8, 0].map { "\(address.value >> $0 & 0xFF)" }.joined(separator: "."), false)
  }

  /// An IPv4 address within an IPv6 one (RFC 4291 section 2.5.5.2) is that IPv4 address.
  private static func address(_ text: String) -> Address? {
    // The C library stops at a NUL and would ignore the rest.
    guard !text.utf8.contains(0) else { return nil }
    var v4 = in_addr()
    var v6 = in6_addr()
    if unsafe inet_pton(AF_INET, text, &v4) == 1 {
      return Address(value: UInt128(UInt32(bigEndian: v4.s_addr)), width: 32)
    }
    guard unsafe inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
    let bytes = unsafe withUnsafeBytes(of: v6) { unsafe $0.loadUnaligned(as: UInt128.self) }
    let value = UInt128(bigEndian: bytes)
    return value >> 32 == 0xFFFF
      ? Address(value: value & 0xFFFF_FFFF, width: 32) : Address(value: value, width: 128)
  }
}
