#if Gateway
  internal import NIOCore
  internal import Synchronization

  /// The addresses that a proxy for others leads nobody to, by a request or a tunnel: those of this machine, and of the
  /// wire that it is on. What listens there counts on being asked by nobody else.
  ///
  /// A proxy that only this machine's own programs reach leads them there, and so does one that was told to.
  final class MachineAddresses: Sendable {
    private struct Own {
      var addresses: [PeerNetwork] = []
      var readAt: ContinuousClock.Instant?
    }

    /// False for a gateway whose clients may reach them.
    let areGuarded: Atomic<Bool>
    private let own = Mutex(Own())

    init(areGuarded: Bool = true) { self.areGuarded = Atomic(areGuarded) }

    /// True for an address that clients are kept from.
    func keep(from address: String) -> Bool {
      areGuarded.load(ordering: .relaxed) && contain(address)
    }

    /// True for such an address, and for a text that is none.
    func contain(_ address: String) -> Bool {
      guard PeerNetwork.plain(address) != nil else { return true }
      return (Self.ofAnyMachine + interfaces()).contains { $0.contains(address) }
    }

    /// The same of a host, as far as that is known without asking anybody.
    ///
    /// - Parameter host: A name in lower case, or an address without brackets.
    func keep(fromHost host: @autoclosure () -> String) -> Bool {
      areGuarded.load(ordering: .relaxed)
        && OwnAddress.targets(of: host()).contains { PeerNetwork.plain($0) != nil && contain($0) }
    }

    /// The addresses of its interfaces, as they were a second ago at the most.
    private func interfaces() -> [PeerNetwork] {
      own.withLock { own in
        if let readAt = own.readAt, readAt + .seconds(1) > .now { return own.addresses }
        do {
          own.addresses = try System.enumerateDevices().compactMap { device in
            device.address?.ipAddress.flatMap { PeerNetwork($0) }
          }
          own.readAt = .now
        } catch {
          // The system does not say; those that it has named before are still kept from.
        }
        return own.addresses
      }
    }

    /// Unspecified, which stands for this machine where one connects to it, loopback and link-local addresses, and those
    /// of version 4 in a form that nobody routes.
    private static let ofAnyMachine = [
      "0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/96", "fe80::/10",
    ].compactMap { PeerNetwork($0) }
  }
#endif

/// Whether an origin is the gateway itself.
enum OwnAddress {
  /// True where a host leads to an address that is listened on here, as far as that shows without asking anybody. What
  /// comes back by another name, or another gateway, is told by its `Via`.
  ///
  /// - Parameters:
  ///   - host: A name in lower case, or an address without brackets.
  ///   - listener: An address.
  static func leads(_ host: String, to listener: String) -> Bool {
    switch listener {
    // All of this machine's.
    case "::": targets(of: host).contains { isLoopback4($0) || $0 == "::1" }
    case "0.0.0.0": targets(of: host).contains(where: isLoopback4)
    default: targets(of: host).contains { PeerNetwork($0)?.contains(listener) == true }
    }
  }

  /// Where a connection to the host goes, where that is known.
  static func targets(of host: String) -> [String] {
    switch host {
    // What stands for all addresses is this machine's own where one connects to it.
    case "0.0.0.0": ["127.0.0.1"]
    case "::": ["::1"]
    // RFC 6761 section 6.3.
    case _ where host == "localhost" || host.hasSuffix(".localhost"): ["127.0.0.1", "::1"]
    default: [host]
    }
  }

  private static func isLoopback4(_ address: String) -> Bool {
    PeerNetwork("127.0.0.0/8")?.contains(address) == true
  }
}
