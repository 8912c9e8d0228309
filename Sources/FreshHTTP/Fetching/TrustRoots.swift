/// The issuers whose certificates make an https origin believed (RFC 5280 section 6.1).
///
/// Files are read once, when the source is made. Whoever is trusted, the certificate must also be in
/// force, and be for the host of the address.
public enum TrustRoots: Sendable, Hashable {
  /// Those of the system.
  case system
  /// The certificates in these files alone, in PEM form (RFC 7468), in place of the system's.
  case files([String])
  /// Everybody: **nothing is verified**. Anyone on the way can read what is sent, credentials
  /// included, and answer in the origin's place, and such an answer is kept like any other. For
  /// experiments only; name the file of the issuer instead.
  case insecure
}
