#if Gateway
  internal import NIOCore
  internal import Synchronization

  /// The addresses that a proxy keeps its clients from, for requests and tunnels: those of this machine, and link-local
  /// ones. A server there may rely on being reached only from this machine or link.
  ///
  /// They are not guarded on a proxy that only this machine's own programs reach, or that is configured so.
  final class MachineAddresses: Sendable {
    private struct Own {
      var addresses: [PeerNetwork] = []
      var readAt: ContinuousClock.Instant?
    }

    /// False when clients may reach these addresses.
    let areGuarded: Atomic<Bool>
    private let own = Mutex(Own())

    init(areGuarded: Bool = true) { self.areGuarded = Atomic(areGuarded) }

    /// True for an address that clients are kept from.
    func keep(from address: String) -> Bool {
      areGuarded.load(ordering: .relaxed) && contain(address)
    }

    /// True for an address of this machine or link, and for a text that is no address.
    func contain(_ address: String) -> Bool {
      guard PeerNetwork.plain(address) != nil else { return true }
      return (Self.ofAnyMachine + interfaces()).contains { $0.contains(address) }
    }

    /// True for a host whose address is known without a look-up, and that clients are kept from.
    ///
    /// - Parameter host: A name in lower case, or an address without brackets.
    func keep(fromHost host: @autoclosure () -> String) -> Bool {
      areGuarded.load(ordering: .relaxed)
        && OwnAddress.targets(of: host()).contains { PeerNetwork.plain($0) != nil && contain($0) }
    }

    /// The addresses of the machine's interfaces, at most a second old.
    private func interfaces() -> [PeerNetwork] {
      own.withLock { own in
        if let readAt = own.readAt, readAt + .seconds(1) > .now { return own.addresses }
        do {
          own.addresses = try System.enumerateDevices().compactMap { device in
            device.address?.ipAddress.flatMap { PeerNetwork($0) }
          }
          own.readAt = .now
        } catch {
          // The system does not answer. The addresses that it named before stay guarded.
        }
        return own.addresses
      }
    }

    /// The unspecified address, which connects to this machine, loopback and link-local addresses, and unrouted forms
    /// of version 4 addresses.
    private static let ofAnyMachine = [
      "0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/96", "fe80::/10",
    ].compactMap { PeerNetwork($0) }
  }
#endif

/// Tells whether an origin is the gateway itself.
enum OwnAddress {
  /// True when a host leads to a listener of this gateway, as far as that is known without a look-up. A request that
  /// returns by another name, or through another gateway, is recognized by its `Via`.
  ///
  /// - Parameters:
  ///   - host: A name in lower case, or an address without brackets.
  ///   - listener: The address of a listener.
  static func leads(_ host: String, to listener: String) -> Bool {
    switch listener {
    // All addresses of this machine.
    case "::": targets(of: host).contains { isLoopback4($0) || $0 == "::1" }
    case "0.0.0.0": targets(of: host).contains(where: isLoopback4)
    default: targets(of: host).contains { PeerNetwork($0)?.contains(listener) == true }
    }
  }

  /// Returns the addresses that a connection to the host goes to, as far as they are known.
  static func targets(of host: String) -> [String] {
    switch host {
    // A connection to the unspecified address reaches this machine.
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
