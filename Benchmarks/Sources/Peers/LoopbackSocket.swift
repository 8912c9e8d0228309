internal import BenchmarkKit
internal import Glibc

/// A blocking TCP socket on loopback.
struct LoopbackSocket: ~Copyable {
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure("socket") }
  }

  /// Connects, and sends without delay from then on.
  func connect(to port: UInt16) throws {
    let code = unsafe Self.withAddress(port) { address, size in
      unsafe Glibc.connect(descriptor, address, size)
    }
    guard code == 0 else { throw Self.failure("connect") }
    var isOn: Int32 = 1
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
  }

  /// Bounds what the kernel keeps for it that was not received yet; before it connects.
  func limitReceiving(to bytes: Int32) {
    var limit = bytes
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &limit, 4)
  }

  deinit { close(descriptor) }

  /// A free port on loopback.
  static func freePort() throws -> UInt16 { try LoopbackSocket().bind() }

  private func bind() throws -> UInt16 {
    guard unsafe Self.withAddress(0, { unsafe Glibc.bind(descriptor, $0, $1) }) == 0 else {
      throw Self.failure("bind")
    }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard code == 0 else { throw Self.failure("getsockname") }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Self.failure("send") }
      sent += count
    }
  }

  /// Receives some bytes into the beginning of others, and returns their number.
  func receive(into bytes: inout [UInt8]) throws -> Int {
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { throw Self.failure("recv") }
    return count
  }

  private static func withAddress(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, size)
      }
    }
  }

  private static func failure(_ call: String) -> BenchmarkFailure {
    BenchmarkFailure(words: "\(call): error \(errno)")
  }
}
