#if HTTP
  internal import NIOCore
  internal import NIOSSL
  internal import Reachability

  /// Checks that the certificate of a connection is for the host of the address (RFC 9110 section 4.3.4).
  ///
  /// The TLS library has checked who issued it, but it also accepts one that is only for the IP address of the
  /// other end. That is not the host's where a name is asked for, and behind a proxy it is the proxy's.
  enum CertificateNames {
    /// Fails, and closes the connection, when the certificate is for another host. No request is sent before.
    static func check(_ channel: any Channel, for host: String) -> EventLoopFuture<Void> {
      channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
        guard let certificate, names(of: certificate).contains(where: { $0.isFor(host) }) else {
          throw NIOSSLExtraError.failedToValidateHostname
        }
      }.flatMapError { error in
        // The client forgets a connection that fails here; it does not close it.
        channel.close().recover { _ in }.flatMapThrowing { throw error }
      }
    }

    private enum Name {
      case address(IPAddress)
      case host(String)

      func isFor(_ host: String) -> Bool {
        let host = host.lowercased()
        if let address = IPAddress(host) {
          guard case .address(address) = self else { return false }
          return true
        }
        guard case .host(let name) = self else { return false }
        let wanted = host.hasSuffix(".") ? String(host.dropLast()) : host
        // A wildcard stands for the whole first label (RFC 9525 section 6.3).
        guard name.hasPrefix("*.") else { return name == wanted }
        let parent = wanted.drop { $0 != "." }
        return !parent.isEmpty && parent == name.dropFirst()
      }
    }

    /// The names in the certificate; those of one with none but its subject's, which the library has compared
    /// with the host, are left to it.
    private static func names(of certificate: NIOSSLCertificate) -> [Name] {
      certificate._subjectAlternativeNames().compactMap { name in
        let bytes = Array(name.contents)
        switch (name.nameType, bytes.count) {
        case (.dnsName, _): return .host(String(decoding: bytes, as: UTF8.self).lowercased())
        case (.ipAddress, 4):
          return IPAddress(bytes.map { "\($0)" }.joined(separator: ".")).map(Name.address)
        case (.ipAddress, 16):
          let groups = stride(from: 0, to: 16, by: 2).map { place in
            String(Int(bytes[place]) << 8 | Int(bytes[place + 1]), radix: 16)
          }
          return IPAddress(groups.joined(separator: ":")).map(Name.address)
        default: return nil
        }
      }
    }
  }
#endif
