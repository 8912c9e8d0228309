internal import FreshHTTP

/// The further names by which a request says by which host, scheme and port its client has come.
///
/// A reverse proxy states those itself, as the key has them (``ForwardedFields``). What a client says of them is no
/// matter, and what a peer says that is trusted goes on where it is the same: else an origin would be told two things,
/// and no key holds which one it has gone by.
enum ArrivalFields {
  private enum Content {
    case host
    case scheme
    case port
    /// `on` for https.
    case encryption
  }

  static let names: Set<String> = Set(contents.keys)

  /// True for a field that says something else than the key.
  ///
  /// - Parameters:
  ///   - name: In lower case, with hyphens.
  ///   - address: The key; `nil` for a request without one.
  static func contradicts(_ name: String, _ value: String, _ address: HTTPAddress?) -> Bool {
    guard let content = contents[name] else { return false }
    guard let address else { return true }
    let value = FieldSyntax.lowercased(value)
    return switch content {
    case .host: value != address.authority && value != address.host
    case .scheme: value != address.scheme.rawValue
    case .port: value != "\(address.port)"
    case .encryption: value != (address.scheme == .https ? "on" : "off")
    }
  }

  private static let contents: [String: Content] = [
    "front-end-https": .encryption, "x-forwarded-port": .port, "x-forwarded-protocol": .scheme,
    "x-forwarded-scheme": .scheme, "x-forwarded-server": .host, "x-forwarded-ssl": .encryption,
    "x-host": .host, "x-http-host-override": .host, "x-original-host": .host,
    "x-original-proto": .scheme, "x-protocol-scheme": .scheme, "x-scheme": .scheme,
    "x-url-scheme": .scheme,
  ]
}
