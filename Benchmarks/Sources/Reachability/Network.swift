internal import Foundation
internal import Glibc
internal import Reachability
internal import Strategies

/// A network of this process alone, made of a network namespace and the interface `va` with its
/// peer `vb`.
enum Network {
  /// The address to ask about.
  static let origin = IPAddress.v4(0xCB00_7109)
  static let originText = "203.0.113.9"
  /// An address without a route.
  static let nowhere = IPAddress.v4(0xC000_0209)
  static let nowhereText = "192.0.2.9"

  /// Moves this process, which must have no second thread yet, into an empty network.
  static func enter(withIPv6: Bool = true) throws(Failure) {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "unshare") else {
      throw .noNamespaces("there is no unshare")
    }
    let newNetwork: Int32 = 0x4000_0000
    guard unsafe unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else {
      throw .noNamespaces("unshare: errno \(errno)")
    }
    if !withIPv6 { try disableIPv6() }
    do throws(Failure) {
      try configure(
        "link set lo up", "link add va type veth peer name vb", "link set vb up",
        "link set va up", "addr add 10.77.0.2/24 dev va")
    } catch {
      throw .noNamespaces("\(error)")
    }
  }

  /// Runs `ip` for each line of arguments.
  static func configure(_ lines: String...) throws(Failure) { try configure(lines) }

  /// Runs `ip` for each line of arguments.
  static func configure(_ lines: [String]) throws(Failure) {
    for line in lines {
      let status = unsafe system("ip \(line)")
      guard status == 0 else { throw .failed("ip \(line): status \(status)") }
    }
  }

  private static func disableIPv6() throws(Failure) {
    for scope in ["all", "default"] {
      let setting = URL(filePath: "/proc/sys/net/ipv6/conf/\(scope)/disable_ipv6")
      do {
        try Data("1".utf8).write(to: setting)
      } catch {
        throw .failed("IPv6 cannot be switched off: \(error)")
      }
    }
  }
}
