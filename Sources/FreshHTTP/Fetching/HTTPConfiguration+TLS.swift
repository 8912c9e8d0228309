internal import Platform

/// The issuers whose certificates make an https origin trusted (RFC 5280 section 6.1).
///
/// Files are read once, when the source is made. A trusted certificate must also be in force, and be for the
/// host of the address.
public enum TrustRoots: Sendable, Hashable {
  /// The issuers that the system trusts.
  case system
  /// Only the certificates in these files, in PEM form (RFC 7468), instead of the system's.
  case files([String])
  /// Every certificate: **nothing is verified**. Anyone on the path can read what is sent, credentials
  /// included, and answer in the origin's place. Such a response is stored like any other. For experiments
  /// only; name the file of the issuer instead.
  case insecure
}

/// The certificate that identifies this client to an https origin, and its key (RFC 8446 section 4.4.2).
///
/// It is shown to every origin that asks for one, also after a redirect. A copy that was fetched with it
/// answers only requests with it, unless its source declares it public.
public struct ClientCertificate: Sendable, Hashable {
  let chain: PEMFile
  let key: PEMFile

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - path: The file with the certificate, followed by the certificates of its issuers, in PEM form (RFC 7468).
  ///   - keyPath: The file with the private key, in PEM form and not encrypted; by default the same file.
  /// - Throws: `badConfiguration` for a file that cannot be read. The content of the files is checked when a
  ///   source is made.
  public init(path: String, keyPath: String? = nil) throws(HTTPFetchError) {
    chain = try PEMFile(path)
    key = try keyPath.map { (path) throws(HTTPFetchError) in try PEMFile(path) } ?? chain
  }

  /// The fingerprint of the certificate, the same for any file that holds it.
  var fingerprint: String { Fingerprint.text(of: chain.bytes) }
}

/// A file of certificates, or of a private key, in PEM form (RFC 7468), read whole.
struct PEMFile: Sendable, Hashable {
  /// More than any bundle of the world's issuers.
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
  internal import NIOSSL

  extension HTTPConfiguration {
    /// The settings of TLS connections. Reads the named files. Throws `badConfiguration` for a file that
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
      // A context checks that the certificate and the key belong together. It does not need the issuers,
      // which take long to read.
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

  extension PEMFile {
    /// The certificates in it, at least one. Throws `badConfiguration`.
    func certificates() throws(HTTPFetchError) -> [NIOSSLCertificate] {
      do {
        // The library traps when there are no bytes.
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
