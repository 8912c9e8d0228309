internal import BenchmarkKit
internal import Foundation
internal import Glibc
internal import Reachability

/// Two network namespaces joined by a cable: one of this process, and one of the origin's thread.
struct Network: Sendable {
  /// The address of the origin, behind its end of the cable.
  static let target = IPAddress.v4(0xCB00_7109)
  static let url = "http://203.0.113.9"

  /// The file of the origin's namespace.
  private let peer: String

  init(peer: String) {
    self.peer = peer
  }

  /// Joins the namespaces that this thread and the origin have entered.
  func join() throws(NoNetwork) {
    do {
      try Self.ip("link set lo up")
      try Self.ip("link add va type veth peer name vb netns \(peer)")
      for line in [
        "link set lo up", "addr add 10.77.0.1/24 dev vb", "addr add 203.0.113.9/32 dev lo",
        "link set vb up",
      ] {
        try far(line)
      }
      try Self.ip("addr add 10.77.0.2/24 dev va")
      try Self.ip("link set va up")
      try Self.ip("route add default via 10.77.0.1")
    } catch {
      throw NoNetwork(cause: "\(error)")
    }
  }

  /// Moves the calling thread, and those that it starts from then on, into an empty namespace; returns the
  /// namespace's file.
  static func enter() throws(NoNetwork) -> String {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "unshare") else {
      throw NoNetwork(cause: "there is no unshare")
    }
    let newNetwork: Int32 = 0x4000_0000
    guard unsafe unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else {
      throw NoNetwork(cause: "unshare: errno \(errno)")
    }
    do {
      let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      return "/proc/\(thread)/ns/net"
    } catch {
      throw NoNetwork(cause: "\(error)")
    }
  }

  /// Takes the network away.
  func lose(_ variant: Variant) throws {
    switch variant {
    case .cable: try far("link set vb down")
    case .route: try Self.ip("route del default")
    }
  }

  /// Brings it back.
  func restore(_ variant: Variant) throws {
    switch variant {
    case .cable: try far("link set vb up")
    case .route: try Self.ip("route add default via 10.77.0.1")
    }
  }

  /// The state of the entry for the gateway in the kernel's table of neighbours; `NONE` without one.
  func neighbour() throws -> String {
    let lines = try Self.output(of: "ip -4 neigh show to 10.77.0.1 dev va")
    return lines.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? "NONE"
  }

  private func far(_ line: String) throws { try Self.run("nsenter --net=\(peer) ip \(line)") }

  private static func ip(_ line: String) throws { try run("ip \(line)") }

  private static func run(_ command: String) throws {
    let status = unsafe system(command)
    guard status == 0 else { throw BenchmarkFailure(words: "\(command): status \(status)") }
  }

  private static func output(of command: String) throws -> String {
    guard let stream = unsafe popen(command, "r") else {
      throw BenchmarkFailure(words: "\(command): errno \(errno)")
    }
    defer { unsafe pclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe fread($0.baseAddress, 1, $0.count, stream)
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
