#if HTTP
  internal import NIOSSL

  extension HTTPConfiguration {
    /// The settings of TLS connections. Reads the named files; throws `badConfiguration` for one that
    /// cannot be used.
    func tlsConfiguration() throws(HTTPFetchError) -> TLSConfiguration {
      var settings = TLSConfiguration.makeClientConfiguration()
      switch trust {
      case .system where lacksIssuers: settings.trustRoots = .certificates([])
      case .system: break
      case .insecure: settings.certificateVerification = .none
      case .files(let paths):
        guard !paths.isEmpty else {
          throw .badConfiguration(
            "no file of trusted issuers is named, so nobody would be trusted; name one")
        }
        var roots: [NIOSSLCertificate] = []
        for path in paths { roots += try PEMFile(path).certificates() }
        settings.trustRoots = .certificates(roots)
      }
      if let clientCertificate { try Self.add(clientCertificate, to: &settings) }
      return settings
    }

    private static func add(
      _ own: ClientCertificate, to settings: inout TLSConfiguration
    ) throws(HTTPFetchError) {
      settings.certificateChain = try own.chain.certificates().map { .certificate($0) }
      settings.privateKey = .privateKey(try own.key.privateKey())
      // A context checks that both belong together; the issuers, which take long to read, are not
      // needed for that.
      var probe = settings
      probe.certificateVerification = .none
      do {
        _ = try NIOSSLContext(configuration: probe)
      } catch {
        throw .badConfiguration(
          "the private key in \(own.key.name) is not that of the certificate in "
            + "\(own.chain.name); name the key of its first certificate")
      }
    }
  }
#endif
