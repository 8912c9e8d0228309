internal import Platform
public import Strategies

/// Reads the routing tables that the kernel shows as files. ``KernelReachability`` does so where sockets are
/// forbidden.
///
/// It is weaker than asking the kernel. It sees neither policy rules nor, for IPv4, any table but the main one, so
/// a host that routes by rules can look offline. It does not see a pulled cable. At most 8 KiB of a table are read,
/// and a longer table proves nothing. So the cost stays below the cost of reading two such files.
public struct RouteTableReachability: ReachabilityProvider {
  /// The maximum number of bytes read of a table.
  static let readLimit = 8 << 10

  /// The addresses to look up.
  let targets: [IPAddress]
  private let directory: String

  /// Creates a provider for a source with these addresses; offline means that none has a route.
  public init(targets: [IPAddress] = IPAddress.wellKnown) {
    // The network namespace of this thread may differ from the process's.
    self.init(targets: targets, directory: "/proc/thread-self/net")
  }

  init(targets: [IPAddress], directory: String) {
    self.targets = targets
    self.directory = directory
  }

  /// Reads the tables and looks the addresses up.
  public func reachability() -> Reachability {
    RouteProbe.reachability(of: targets) { look(up: $0) }
  }

  /// - Parameter onLinkOnly: True when only a route without a router counts.
  func look(up target: IPAddress, onLinkOnly: Bool = false) -> RouteProbe.Answer {
    let target = target.routed
    // Loopback is in the local table, and neither file shows that table in full.
    guard !target.isLoopback else { return .failed("\(target): loopback is in no route file") }
    let name = if case .v4 = target { "route" } else { "ipv6_route" }
    let text: (bytes: [UInt8], isComplete: Bool)
    do throws(ErrorNumber) {
      text = try contents(of: "\(directory)/\(name)")
    } catch {
      // A kernel without IPv6 shows the IPv4 file only.
      return if error.code == ENOENT, name == "ipv6_route", hasTable("route") {
        .noRoute("\(target): no IPv6 here")
      } else {
        .failed("\(directory)/\(name): \(error)")
      }
    }
    switch RouteTable.answer(
      for: target, onLinkOnly: onLinkOnly, in: text.bytes, isComplete: text.isComplete)
    {
    case .route: return .route
    case .noRoute: return .noRoute("\(target): no usable route in \(directory)/\(name)")
    case .incomplete: return .failed("\(directory)/\(name): longer than \(Self.readLimit) bytes")
    }
  }

  private func hasTable(_ name: String) -> Bool {
    unsafe access("\(directory)/\(name)", R_OK) == 0
  }

  private func contents(
    of path: String
  ) throws(ErrorNumber) -> (bytes: [UInt8], isComplete: Bool) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.readLimit)
    var filled = 0
    while filled < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return unsafe Self.readOnce(descriptor, into: rest)
      }
      guard count >= 0 else { throw .last }
      if count == 0 { return (Array(bytes.prefix(filled)), true) }
      filled += count
    }
    return (bytes, false)
  }

  private static func readOnce(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    while true {
      let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}

extension ReachabilityProvider where Self == RouteTableReachability {
  /// Reads the routing tables the kernel shows as files; prefer ``kernel``.
  public static var routeTable: RouteTableReachability { RouteTableReachability() }

  /// Reads the routing tables the kernel shows as files, for a source with these addresses.
  public static func routeTable(
    _ target: IPAddress, _ others: IPAddress...
  ) -> RouteTableReachability {
    RouteTableReachability(targets: [target] + others)
  }
}
