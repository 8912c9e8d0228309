/// The certificate that shows an https origin who is asking, and its key (RFC 8446 section 4.4.2).
///
/// It is shown to every origin that asks for one, those that a redirect leads to included. A copy that was
/// fetched with it answers only requests with it, unless its source declares it public.
public struct ClientCertificate: Sendable, Hashable {
  let chain: PEMFile
  let key: PEMFile

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - path: The file with the certificate, then those of its issuers, in PEM form (RFC 7468).
  ///   - keyPath: The file with the private key, in PEM form and not encrypted; by default the same file.
  /// - Throws: `badConfiguration` for a file that cannot be read. What is in them is checked when a source is
  ///   made.
  public init(path: String, keyPath: String? = nil) throws(HTTPFetchError) {
    chain = try PEMFile(path)
    key = try keyPath.map { (path) throws(HTTPFetchError) in try PEMFile(path) } ?? chain
  }

  /// Tells it from others, wherever they are stored.
  var fingerprint: String {
    var fingerprint = Fingerprint()
    fingerprint.add(chain.bytes)
    return fingerprint.description
  }
}
