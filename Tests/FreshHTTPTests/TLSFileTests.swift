#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  /// The files that a configuration names for TLS: they are read when a source is made.
  @Suite struct TLSFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The words of the refusal of a configuration; `nil` when it is accepted.
    private func refusal(
      _ configuration: @autoclosure () throws(HTTPFetchError) -> HTTPConfiguration
    ) async -> String? {
      do throws(HTTPFetchError) {
        let source = try HTTPSource(try configuration())
        await source.close()
        return nil
      } catch {
        guard case .badConfiguration(let words) = error else { return "\(error)" }
        return words
      }
    }

    @Test(
      arguments: [
        (nil, "no such file or directory"), ("", "holds no certificate"),
        ("garbage", "holds no certificate"), (TestCertificates.clientKey, "holds no certificate"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "or a damaged one"),
        (
          TestCertificates.issuer
            + "\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
          "or a damaged one"
        ),
      ] as [(String?, String)])
    func `a file of issuers that cannot be used is refused, and named`(
      text: String?, words: String
    ) async throws {
      let path = folder.file("issuers.pem")
      if let text { _ = try folder.write(text, as: "issuers.pem") }
      let refusal = await refusal(HTTPConfiguration(trust: .files([path]))) ?? "accepted"
      #expect(refusal.contains(path) && refusal.contains(words), "\(refusal)")
    }

    @Test func `a folder is no file of issuers`() async throws {
      let refusal = await refusal(HTTPConfiguration(trust: .files([folder.path])))
      #expect(refusal?.contains("is a directory") == true, "\(refusal ?? "accepted")")
    }

    @Test func `no files of issuers at all are refused`() async throws {
      #expect(await refusal(HTTPConfiguration(trust: .files([]))) != nil)
    }

    @Test func `a file of several issuers is accepted`() async throws {
      let both = try folder.write(
        "Two of them\n\(TestCertificates.issuer)\n\n\(TestCertificates.selfSigned.certificate)\n",
        as: "issuers.pem")
      #expect(await refusal(HTTPConfiguration(trust: .files([both]))) == nil)
    }

    @Test(
      arguments: [
        (nil, "no such file or directory"), ("", "holds no private key"),
        ("garbage", "holds no private key"), (TestCertificates.client, "holds no private key"),
        (TestCertificates.encryptedClientKey, "is encrypted"),
        (
          "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: x\n\nAAAA\n"
            + "-----END EC PRIVATE KEY-----", "is encrypted"
        ),
        (TestCertificates.localhost.key, "is not that of the certificate"),
      ] as [(String?, String)])
    func `a key that cannot be used is refused, and its file is named`(
      text: String?, words: String
    ) async throws {
      let chain = try folder.write(TestCertificates.client, as: "client.pem")
      let key = folder.file("key.pem")
      if let text { _ = try folder.write(text, as: "key.pem") }
      func configuration() throws(HTTPFetchError) -> HTTPConfiguration {
        HTTPConfiguration(clientCertificate: try ClientCertificate(path: chain, keyPath: key))
      }
      let refusal = await refusal(try configuration()) ?? "accepted"
      #expect(refusal.contains(key) && refusal.contains(words), "\(refusal)")
    }

    @Test func `a client certificate without its key in the same file is refused`() async throws {
      let chain = try folder.write(TestCertificates.client, as: "client.pem")
      func configuration() throws(HTTPFetchError) -> HTTPConfiguration {
        HTTPConfiguration(clientCertificate: try ClientCertificate(path: chain))
      }
      let refusal = await refusal(try configuration())
      #expect(refusal?.contains("holds no private key") == true, "\(refusal ?? "accepted")")
    }
  }
#endif
