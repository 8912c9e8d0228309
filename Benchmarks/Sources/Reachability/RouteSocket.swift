internal import Glibc

/// Adds and deletes the default route with one message to the kernel (rtnetlink(7)), which has made
/// the change when the call returns.
struct RouteSocket: ~Copyable {
  private static let newRoute: UInt16 = 24
  private static let deleteRoute: UInt16 = 25
  private static let requestAndAcknowledge: UInt16 = 0x5
  private static let create: UInt16 = 0x400

  private let descriptor: Int32
  private let addition = Self.message(newRoute, flags: requestAndAcknowledge | create)
  private let deletion = Self.message(deleteRoute, flags: requestAndAcknowledge)

  init() throws(Failure) {
    descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .failed("netlink: errno \(errno)") }
  }

  deinit { close(descriptor) }

  /// Adds or deletes the default route.
  func setDefault(_ isThere: Bool) throws(Failure) {
    let message = isThere ? addition : deletion
    let sent = unsafe message.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, 0)
    }
    var reply = [UInt8](repeating: 0, count: 1024)
    let received = unsafe reply.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
    }
    let status = unsafe reply.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: 16, as: Int32.self)
    }
    guard sent == message.count, received >= 20, status == 0 else {
      throw .failed("the default route was refused: \(status)")
    }
  }

  /// The length, the kind, the flags and two numbers; then the route in the main table, by hand, and
  /// its gateway 10.77.0.1.
  private static func message(_ kind: UInt16, flags: UInt16) -> [UInt8] {
    let head = bytes(UInt32(36)) + bytes(kind) + bytes(flags) + bytes(UInt32(1)) + bytes(UInt32(0))
    let route: [UInt8] = [2, 0, 0, 0, 254, 4, 0, 1, 0, 0, 0, 0]
    let gateway: UInt16 = 5
    return head + route + bytes(UInt16(8)) + bytes(gateway) + [10, 77, 0, 1]
  }

  private static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }
}
