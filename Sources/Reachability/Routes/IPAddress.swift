internal import Platform

/// The numeric address of a source, as in questions to the kernel; names are resolved elsewhere.
public enum IPAddress: Sendable, Hashable {
  /// An IPv4 address, its first octet in the highest byte: 192.0.2.1 is `0xC000_0201`.
  case v4(UInt32)
  /// An IPv6 address, its first group in the highest bits.
  case v6(UInt128)

  /// Reads the dotted or the colon form; `nil` for anything else, a zone identifier included.
  public init?(_ text: String) {
    // The C library stops at a NUL and would ignore the rest.
    guard !text.utf8.contains(0) else { return nil }
    var v4 = in_addr()
    var v6 = in6_addr()
    if unsafe inet_pton(AF_INET, text, &v4) == 1 {
      self = .v4(UInt32(bigEndian: v4.s_addr))
    } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(v6)
    } else {
      return nil
    }
  }

  init(_ address: in6_addr) {
    let value = unsafe withUnsafeBytes(of: address) { unsafe $0.loadUnaligned(as: UInt128.self) }
    self = .v6(UInt128(bigEndian: value))
  }

  /// The address that a connection to this one goes to. For an IPv4-mapped address it is the IPv4 address inside
  /// (RFC 4291, section 2.5.5.2). For the unspecified address it is loopback: `connect` treats it so, and the
  /// routing tables have no route to it.
  var routed: IPAddress {
    switch self {
    case .v4(0): .v4(0x7F00_0001)
    case .v6(0): .v6(1)
    case .v6(let value) where value >> 32 == 0xFFFF:
      IPAddress.v4(UInt32(truncatingIfNeeded: value)).routed
    case .v4, .v6: self
    }
  }

  /// The whole 127.0.0.0/8, and ::1.
  var isLoopback: Bool {
    switch self {
    case .v4(let value): value >> 24 == 127
    case .v6(let value): value == 1
    }
  }

  /// True for a fe80::/10 address, which is valid on one link only.
  var isLinkLocal: Bool {
    switch self {
    case .v4: false
    case .v6(let value): value >> 118 == 0xFE80 >> 6
    }
  }
}

extension IPAddress: CustomStringConvertible {
  /// The dotted or the colon form, shortened as RFC 5952 says.
  public var description: String {
    switch self {
    case .v4(let value):
      return [24, 16, 8, 0].map { String(value >> $0 & 0xFF) }.joined(separator: ".")
    case .v6(let value):
      var address = in6_addr()
      unsafe withUnsafeMutableBytes(of: &address) {
        unsafe $0.storeBytes(of: value.bigEndian, as: UInt128.self)
      }
      return unsafe withUnsafeTemporaryAllocation(
        of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)
      ) { buffer in
        let size = socklen_t(buffer.count)
        guard let text = unsafe inet_ntop(AF_INET6, &address, buffer.baseAddress, size) else {
          return String(value, radix: 16)
        }
        return unsafe String(cString: text)
      }
    }
  }
}

extension IPAddress {
  /// Addresses that stand for "anywhere" when the source's own addresses are not known: a root name server of the
  /// Internet for each family. They are only looked up; nothing is sent to them.
  public static let wellKnown: [IPAddress] = [
    .v4(0xC629_0004),
    .v6(0x2001_0503_BA3E_0000_0000_0000_0002_0030),
  ]
}
