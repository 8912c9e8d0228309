#if Gateway
  internal import NIOSSL
  internal import Platform
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
      for path in [certificate.chain, certificate.key] { try checkReadable(path) }
      let chain: [NIOSSLCertificate]
      do {
        chain = try NIOSSLCertificate.fromPEMFile(certificate.chain)
      } catch {
        throw .badOption(
          "the file \(certificate.chain.debugDescription) holds no certificate in PEM form, or a damaged one"
        )
      }
      let key: NIOSSLPrivateKey
      do {
        key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
      } catch {
        throw .badOption(
          "the file \(certificate.key.debugDescription) holds no private key in PEM form that is not encrypted; "
            + "name it with --key")
      }
      do {
        var settings = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        settings.minimumTLSVersion = .tlsv12
        settings.applicationProtocols = ProtocolChoice.names
        return try NIOSSLContext(configuration: settings)
      } catch {
        throw .badOption(
          "the certificate in \(certificate.chain.debugDescription) and the key in "
            + "\(certificate.key.debugDescription) do not belong together, or cannot be used")
      }
    }

    private static func checkReadable(_ path: String) throws(GatewayError) {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor < 0 else {
        close(descriptor)
        return
      }
      let words = unsafe String(cString: strerror(errno)).lowercased()
      throw .file(
        "the file \(path.debugDescription) cannot be read: \(words); check its name and its permissions"
      )
    }
  }
#endif
