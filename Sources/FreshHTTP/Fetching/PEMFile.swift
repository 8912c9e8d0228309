internal import Platform

#if HTTP
  internal import NIOSSL
#endif

/// A file of certificates, or of a private key, in PEM form (RFC 7468), read whole.
struct PEMFile: Sendable, Hashable {
  /// More than every bundle of the world's issuers.
  private static let sizeLimit = 16 << 20

  let name: String
  let bytes: [UInt8]

  /// Throws `badConfiguration` when it cannot be read.
  init(_ path: String) throws(HTTPFetchError) {
    let name = path.debugDescription
    self.name = name
    do throws(ErrorNumber) {
      bytes = try Self.contents(of: path)
    } catch {
      let words = unsafe String(cString: strerror(error.code)).lowercased()
      throw .badConfiguration(
        "the file \(name) cannot be read: \(words); check its name and its permissions")
    }
  }

  private static func contents(of path: String) throws(ErrorNumber) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
        guard bytes.count <= sizeLimit else { throw ErrorNumber(EFBIG) }
      } else if errno != EINTR {
        throw .last
      }
    }
  }
}

#if HTTP
  extension PEMFile {
    /// Every certificate in it, at least one. Throws `badConfiguration`.
    func certificates() throws(HTTPFetchError) -> [NIOSSLCertificate] {
      do {
        // The library traps at no bytes at all.
        guard !bytes.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
        return try NIOSSLCertificate.fromPEMBytes(bytes)
      } catch {
        throw .badConfiguration(
          "the file \(name) holds no certificate, or a damaged one; name a file in PEM form, where each "
            + "begins with -----BEGIN CERTIFICATE-----")
      }
    }

    /// The private key in it. Throws `badConfiguration`.
    func privateKey() throws(HTTPFetchError) -> NIOSSLPrivateKey {
      let text = String(decoding: bytes, as: UTF8.self)
      guard !Self.marksOfEncryption.contains(where: { text.contains($0) }) else {
        throw .badConfiguration(
          "the private key in \(name) is encrypted, and no passphrase is asked for; decrypt it into a file "
            + "that only its owner can read, as openssl pkey does")
      }
      do {
        guard !bytes.isEmpty else { throw NIOSSLError.failedToLoadPrivateKey }
        return try NIOSSLPrivateKey(bytes: bytes, format: .pem)
      } catch {
        throw .badConfiguration(
          "the file \(name) holds no private key, or a damaged one; name a file in PEM form, where it "
            + "begins with -----BEGIN PRIVATE KEY-----")
      }
    }

    /// RFC 7468 section 11, and RFC 1421 section 4.6.1.1 for older keys.
    private static let marksOfEncryption = [
      "-----BEGIN ENCRYPTED PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED",
    ]
  }
#endif
