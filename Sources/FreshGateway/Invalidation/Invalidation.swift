internal import FreshHTTP

/// What an answer makes invalid (RFC 9111 section 4.4, RFC 9875 section 3).
struct Invalidation: Sendable, Hashable {
  /// The keys whose stored answers, all variants, must not be used before they are validated.
  var keys: [String] = []
  /// The tags (``CacheGroups/tag(_:origin:)``) of which the same is true.
  var tags: [String] = []

  static let nothing = Invalidation()

  var isEmpty: Bool { keys.isEmpty && tags.isEmpty }

  private init() {}

  /// An answer that is no error, to a request whose method is not known to be safe.
  ///
  /// - Parameter names: The hosts, in lower case, that are the origin's, too.
  init(
    by status: Int, _ fields: HeaderFields, to request: GatewayRequest, names: Set<String> = []
  ) {
    guard !request.isSafe, (200...399).contains(status), let address = request.address else {
      return
    }
    keys = [address.text]
    // Only of the same origin: others could be made to fetch everything again.
    for name in ["Location", "Content-Location"] {
      guard let reference = fields.first(name),
        let named = Self.address(reference, from: address)
      else { continue }
      let other =
        names.contains(named.host)
        ? HTTPAddress(
          scheme: address.scheme, host: address.host, port: address.port, path: named.path,
          query: named.query) : named
      guard other.origin == address.origin, !keys.contains(other.text)
      else { continue }
      keys.append(other.text)
    }
    tags = CacheGroups.read(fields.combined("Cache-Group-Invalidation")).map {
      CacheGroups.tag($0, origin: address.origin)
    }
  }

  /// The address that a field of an answer names; `nil` when it names none.
  static func address(_ reference: String, from base: HTTPAddress) -> HTTPAddress? {
    do {
      return try RelativeReference.resolve(reference, against: base)
    } catch {
      return nil
    }
  }
}
