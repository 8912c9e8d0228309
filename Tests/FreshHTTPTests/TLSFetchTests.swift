#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  /// Real handshakes with an origin whose certificate comes from an issuer of its own.
  @Suite struct TLSFetchTests {
    private let folder: TemporaryFolder
    private let issuer: String

    init() throws {
      folder = try TemporaryFolder()
      issuer = try folder.write(TestCertificates.issuer, as: "issuer.pem")
    }

    private func configuration(
      _ trust: TrustRoots, client: ClientCertificate? = nil
    ) -> HTTPConfiguration {
      HTTPConfiguration(
        connectTimeout: .seconds(600), timeout: .seconds(600), trust: trust,
        clientCertificate: client)
    }

    /// Fetches from an https origin by one of its names; the answer, or the failure.
    private func fetch(
      _ configuration: HTTPConfiguration, from tls: OriginServer.TLS, by host: String = "localhost"
    ) async throws -> (url: String, result: Result<String?, HTTPFetchError>) {
      let origin = try await OriginServer.start(tls: tls) { _ in .init(body: "there") }
      let source = try HTTPSource(configuration)
      let url = "https://\(host):\(origin.port)/a"
      let result: Result<String?, HTTPFetchError>
      do throws(HTTPFetchError) {
        result = .success(try await source.fetch(url).text)
      } catch {
        result = .failure(error)
      }
      await source.close()
      await origin.stop()
      return (url, result)
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `an origin is trusted whose issuer is in the file`(host: String) async throws {
      let fetched = try await fetch(
        configuration(.files([issuer])), from: TestCertificates.localhost, by: host)
      #expect(fetched.result == .success("there"))
    }

    @Test(arguments: [("127.0.0.1", true), ("localhost", false)])
    func `a certificate for the address of the other end is not one for a name`(
      host: String, isAccepted: Bool
    ) async throws {
      let trusted = try folder.write(TestCertificates.address.certificate, as: "address.pem")
      let fetched = try await fetch(
        configuration(.files([trusted])), from: TestCertificates.address, by: host)
      #expect(
        fetched.result
          == (isAccepted
            ? .success("there") : .failure(.tls(fetched.url, .otherName(host: host)))))
    }

    @Test func `each of several files is trusted`() async throws {
      let other = try folder.write(TestCertificates.selfSigned.certificate, as: "other.pem")
      let fetched = try await fetch(
        configuration(.files([other, issuer])), from: TestCertificates.localhost)
      #expect(fetched.result == .success("there"))
    }

    @Test func `a certificate of another issuer is not trusted`() async throws {
      let fetched = try await fetch(
        configuration(.files([issuer])), from: TestCertificates.selfSigned)
      #expect(fetched.result == .failure(.tls(fetched.url, .untrusted(host: "localhost"))))
    }

    @Test func `an issuer that the system does not know is not trusted by default`() async throws {
      let fetched = try await fetch(configuration(.system), from: TestCertificates.localhost)
      // Where the system has no issuers at all, that is the failure.
      guard case .failure(.tls(fetched.url, _)) = fetched.result else {
        Issue.record("\(fetched)")
        return
      }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a certificate for another name is refused, and the host is named`(host: String)
      async throws
    {
      let fetched = try await fetch(
        configuration(.files([issuer])), from: TestCertificates.elsewhere, by: host)
      #expect(fetched.result == .failure(.tls(fetched.url, .otherName(host: host))))
    }

    @Test(arguments: [false, true])
    func `without any verification every certificate will do`(isForOtherName: Bool) async throws {
      let fetched = try await fetch(
        configuration(.insecure),
        from: isForOtherName ? TestCertificates.elsewhere : TestCertificates.selfSigned)
      #expect(fetched.result == .success("there"))
    }

    // MARK: Client certificates

    @Test(arguments: [false, true])
    func `a client certificate is shown to an origin that asks for it`(isOneFile: Bool) async throws
    {
      let chain = try folder.write(
        TestCertificates.client + (isOneFile ? "\n" + TestCertificates.clientKey : ""),
        as: "client.pem")
      let key = try folder.write(TestCertificates.clientKey, as: "key.pem")
      let fetched = try await fetch(
        configuration(
          .files([issuer]),
          client: try ClientCertificate(path: chain, keyPath: isOneFile ? nil : key)),
        from: TestCertificates.localhost.requiringClients(of: TestCertificates.issuer))
      #expect(fetched.result == .success("there"))
    }

    @Test func `without a client certificate the failure says that one is wanted`() async throws {
      let fetched = try await fetch(
        configuration(.files([issuer])),
        from: TestCertificates.localhost.requiringClients(of: TestCertificates.issuer))
      #expect(fetched.result == .failure(.tls(fetched.url, .clientCertificate(host: "localhost"))))
    }

    @Test func `a client certificate that an origin does not accept is named as the cause`()
      async throws
    {
      let chain = try folder.write(TestCertificates.client, as: "client.pem")
      let key = try folder.write(TestCertificates.clientKey, as: "key.pem")
      let fetched = try await fetch(
        configuration(.files([issuer]), client: try ClientCertificate(path: chain, keyPath: key)),
        from: TestCertificates.localhost.requiringClients(
          of: TestCertificates.selfSigned.certificate))
      #expect(fetched.result == .failure(.tls(fetched.url, .clientCertificate(host: "localhost"))))
    }
  }
#endif
