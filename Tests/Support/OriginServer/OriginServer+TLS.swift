#if HTTP
  internal import NIOSSL

  extension OriginServer {
    /// The certificate of a server for https and its key, in PEM form.
    public struct TLS: Sendable {
      /// The certificate.
      public let certificate: String
      /// Its private key.
      public let key: String
      /// The issuers of the certificates that clients must have; `nil` when they need none.
      let clientIssuers: String?

      /// Names them.
      public init(certificate: String, key: String, clientIssuers: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.clientIssuers = clientIssuers
      }

      /// The same, for clients that have a certificate of one of these issuers.
      public func requiringClients(of issuers: String) -> TLS {
        TLS(certificate: certificate, key: key, clientIssuers: issuers)
      }

      /// The context that the connections are made with.
      func context() throws -> NIOSSLContext {
        let chain = try Self.certificates(certificate)
        let ownKey = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
        var settings = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(ownKey))
        if let clientIssuers {
          settings.certificateVerification = .noHostnameVerification
          settings.trustRoots = .certificates(try Self.certificates(clientIssuers))
        }
        return try NIOSSLContext(configuration: settings)
      }

      private static func certificates(_ text: String) throws -> [NIOSSLCertificate] {
        try NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
      }
    }
  }
#endif
