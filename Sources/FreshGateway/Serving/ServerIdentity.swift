#if Gateway
  internal import NIOSSL
  internal import Synchronization

  /// What clients that speak TLS are shown: the certificate as it was last read.
  final class ServerIdentity: Sendable {
    private let certificate: GatewayOptions.Certificate
    private let state: Mutex<NIOSSLContext>

    init(_ certificate: GatewayOptions.Certificate) throws(GatewayError) {
      self.certificate = certificate
      state = Mutex(try Self.read(certificate))
    }

    /// For a new connection; those that are open keep theirs.
    var context: NIOSSLContext { state.withLock { $0 } }

    /// Reads the files again; what cannot be used changes nothing. Blocks.
    func reread() throws(GatewayError) {
      let context = try Self.read(certificate)
      state.withLock { $0 = context }
    }

    private static func read(
      _ certificate: GatewayOptions.Certificate
    ) throws(GatewayError) -> NIOSSLContext {
      do {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate.chain)
        let key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
        var settings = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        settings.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: settings)
      } catch {
        throw .badOption(
          "the certificate in \(certificate.chain.debugDescription), or its key in "
            + "\(certificate.key.debugDescription), cannot be used; name files in PEM form that belong together"
        )
      }
    }
  }
#endif
