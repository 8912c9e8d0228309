#if Gateway
  internal import FreshHTTP
  internal import NIOSSL
  internal import Platform
  internal import Strategies
  internal import Synchronization

  /// The certificate that TLS clients are shown, as it was last read.
  final class ServerIdentity: Sendable {
    private struct State {
      let context: NIOSSLContext
      /// The expiry of the first certificate of the chain to end.
      let end: Timestamp
    }

    private let certificate: GatewayOptions.Certificate
    private let state: Mutex<State>

    init(_ certificate: GatewayOptions.Certificate) throws(GatewayError) {
      self.certificate = certificate
      state = Mutex(try Self.read(certificate))
    }

    /// The context for new connections. Open connections keep theirs.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Reads the files again. Unusable files change nothing. Blocks.
    func reread() throws(GatewayError) {
      let new = try Self.read(certificate)
      state.withLock { $0 = new }
    }

    /// The warning for operators when clients refuse the certificate, or will within a week; `nil` otherwise.
    func warning(at now: Timestamp) -> String? {
      let end = state.withLock { $0.end }
      let left = end.duration(since: now)
      guard left < .days(7) else { return nil }
      let what = "the certificate in \(certificate.chain.debugDescription)"
      let words = left > .zero ? "ends" : "has ended, and clients refuse it, since"
      return "\(what) \(words) \(HTTPDate.format(end)); renew it, and have it read again (SIGHUP)"
    }

    private static func read(
      _ certificate: GatewayOptions.Certificate
    ) throws(GatewayError) -> State {
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
        let end = chain.map { Timestamp(millisecondsSinceEpoch: Int64($0.notValidAfter) * 1000) }
        return State(
          context: try NIOSSLContext(configuration: settings),
          end: end.min() ?? Timestamp(millisecondsSinceEpoch: .max))
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
