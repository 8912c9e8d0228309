internal import Platform

/// A bound port of the loopback address that does not listen: connections to it are refused as long
/// as this object lives.
final class ClosedPort: Sendable {
  struct NotBound: Error {
    let code: Int32
  }

  let number: UInt16
  private let descriptor: Int32

  init() throws {
    let socket = socket(AF_INET, SocketKind.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        let isBound = unsafe bind(socket, generic, length) == 0
        return unsafe isBound && getsockname(socket, generic, &length) == 0 ? 0 : errno
      }
    }
    descriptor = socket
    number = UInt16(bigEndian: address.sin_port)
    guard code == 0 else { throw NotBound(code: code) }
  }

  deinit {
    close(descriptor)
  }
}
