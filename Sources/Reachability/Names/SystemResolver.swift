internal import Platform

/// The resolver of the system (getaddrinfo(3)): hosts file, name service and any other service this
/// machine is set up to ask. Blocks for as long as that takes, which may be many seconds.
enum SystemResolver {
  /// The addresses of the host, the preferred first, each once.
  static func addresses(of host: String) throws(HostLookupError) -> [IPAddress] {
    var addresses: [IPAddress] = []
    for bytes in try socketAddresses(of: host, port: 0) {
      guard let address = IPAddress(socketAddress: bytes), !addresses.contains(address) else {
        continue
      }
      addresses.append(address)
    }
    guard !addresses.isEmpty else { throw .notFound(host, "no IPv4 or IPv6 address") }
    return addresses
  }

  /// The addresses of the host, each as the bytes of a `sockaddr` with the port and, where it has
  /// one, the zone.
  static func socketAddresses(
    of host: String, port: UInt16
  ) throws(HostLookupError) -> [[UInt8]] {
    guard !host.isEmpty else { throw .emptyName }
    // A C string would end there, and the name with it.
    guard !host.utf8.contains(0) else { throw .notFound(host, "a NUL in the name") }
    var hints = unsafe addrinfo()
    // One entry for each address, not one for each kind of socket.
    unsafe hints.ai_socktype = SocketKind.stream
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
    guard status == 0 else {
      let words = unsafe gai_strerror(status).map { unsafe String(cString: $0) }
      throw .notFound(host, words ?? "error \(status)")
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [[UInt8]] = []
    var next = unsafe list
    while let entry = unsafe next {
      let bytes = unsafe UnsafeRawBufferPointer(
        start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
      unsafe addresses.append([UInt8](bytes))
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }
}

extension IPAddress {
  /// Reads the bytes of a `sockaddr`, without its port and zone; `nil` for another family.
  init?(socketAddress bytes: [UInt8]) {
    switch unsafe bytes.withUnsafeBytes({ unsafe Self.family(of: $0) }) {
    case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
      let address = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: sockaddr_in.self) }
      self = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
    case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
      let address = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: sockaddr_in6.self) }
      let value = unsafe withUnsafeBytes(of: address.sin6_addr) {
        unsafe $0.loadUnaligned(as: UInt128.self)
      }
      self = .v6(UInt128(bigEndian: value))
    default:
      return nil
    }
  }

  private static func family(of bytes: UnsafeRawBufferPointer) -> Int32? {
    guard bytes.count >= MemoryLayout<sockaddr>.size else { return nil }
    return Int32(unsafe bytes.loadUnaligned(as: sockaddr.self).sa_family)
  }
}
