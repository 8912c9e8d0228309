#if HTTP
  internal import NIOCore
  internal import NIOSSL
  internal import Reachability
  internal import Synchronization

  /// The Unix socket that a configuration names, and TLS over it.
  ///
  /// The client library connects to one, too, but checks no certificate against the name in the address.
  final class UnixSocket: Sendable {
    let path: String
    private let settings: TLSConfiguration
    /// Made for the first https address: the system's issuers take long to read.
    private let context = Mutex<NIOSSLContext?>(nil)

    init(_ path: String, _ settings: TLSConfiguration) {
      self.path = path
      var settings = settings
      settings.applicationProtocols = ["http/1.1"]
      // The answer says itself where it ends; a peer that does not say goodbye holds nobody up.
      settings.shutdownTimeout = .milliseconds(100)
      self.settings = settings
    }

    /// TLS for a request to an https address. Throws `badURL`, and what the TLS library throws.
    func security(for address: HTTPAddress) throws -> SingleConnection.Security {
      let isNumeric = IPAddress(address.bareHost) != nil
      if isNumeric, settings.certificateVerification == .fullVerification {
        throw HTTPFetchError.badURL(
          address.redacted,
          reason: "over a Unix socket a certificate can only be checked against a name; write one "
            + "in place of the IP address")
      }
      let shared = try context.withLock { context in
        if let context { return context }
        let made = try NIOSSLContext(configuration: settings)
        context = made
        return made
      }
      return SingleConnection.Security(
        context: shared, serverName: isNumeric ? nil : address.bareHost)
    }
  }
#endif
