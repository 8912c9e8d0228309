/// The certificate that shows an https origin who is asking, and its key (RFC 8446 section 4.4.2).
///
/// It is shown to every origin that asks for one, those that a redirect leads to included. The files
/// are read once, when the source is made. A copy that was fetched with it answers only requests with
/// it, unless its source declares it public.
public struct ClientCertificate: Sendable, Hashable {
  /// The file with the certificate, then those of its issuers, in PEM form (RFC 7468).
  public var path: String
  /// The file with the private key, in PEM form and not encrypted.
  public var keyPath: String

  /// Names the files.
  ///
  /// - Parameter keyPath: By default the key is in the same file.
  public init(path: String, keyPath: String? = nil) {
    self.path = path
    self.keyPath = keyPath ?? path
  }
}
