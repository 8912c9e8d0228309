#if CommandLine
  internal import FreshGateway

  extension GatewayOptions.Certificate {
    /// Throws for a private key that others can read, wherever it stands.
    func checkExposure() throws(CommandFailure) {
      guard key != chain || Self.holdsKey(chain) else { return }
      try PrivateFile.checkExposure(of: "the private key", in: key)
    }

    /// False for a file of certificates alone, of which nothing is a secret, and for one that cannot be read: whoever
    /// needs a key of it tells that there is none.
    private static func holdsKey(_ path: String) -> Bool {
      do throws(Descriptor.Failure) {
        let bytes = try Descriptor.read(path: path, limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).contains("PRIVATE KEY-----")
      } catch {
        return false
      }
    }
  }
#endif
