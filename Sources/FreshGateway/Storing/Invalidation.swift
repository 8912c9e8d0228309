internal import FreshHTTP

/// The stored answers that an answer makes invalid (RFC 9111 section 4.4, RFC 9875 section 3).
struct Invalidation: Sendable, Hashable {
  /// The keys whose stored answers, in all variants, must be validated before use.
  var keys: [String] = []
  /// The tags (``CacheGroups/tag(_:origin:)``) whose stored answers must be validated before use.
  var tags: [String] = []

  static let nothing = Invalidation()

  var isEmpty: Bool { keys.isEmpty && tags.isEmpty }

  private init() {}

  /// The invalidation by an answer that is no error, to a request whose method is not known to be safe.
  ///
  /// - Parameter names: Further hosts of the origin, in lower case.
  init(
    by status: Int, _ fields: HeaderFields, to request: GatewayRequest, names: Set<String> = []
  ) {
    guard !request.isSafe, (200...399).contains(status), let address = request.address else {
      return
    }
    keys = [address.text]
    // Only addresses of the same origin count: an origin must not invalidate the copies of another.
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

/// The groups of RFC 9875, which are tags of the stored answers.
enum CacheGroups {
  /// The members of a `Cache-Groups` or `Cache-Group-Invalidation` field; empty when it is no list of strings (section
  /// 2).
  ///
  /// Their number and length are bounded, as that section allows: members beyond the bounds are left out.
  static func read(_ field: String?) -> [String] {
    guard let field, let groups = members(field) else { return [] }
    return distinct(groups.prefix(greatestCount).filter { $0.utf8.count <= greatestLength })
  }

  /// The members of a field of a request. Its sender is told of any fault, so no member is left out.
  static func readAll(_ field: String) throws(RequestRefusal) -> [String] {
    guard let groups = members(field), !groups.isEmpty else {
      throw .malformed("Cache-Groups is a list of strings, as in \"news\", \"sport\"")
    }
    guard groups.count <= greatestCount, groups.allSatisfy({ $0.utf8.count <= greatestLength })
    else {
      throw .malformed(
        "Cache-Groups names up to \(greatestCount) groups of up to \(greatestLength) bytes: send several requests"
      )
    }
    return distinct(groups)
  }

  private static func distinct(_ groups: [String]) -> [String] {
    groups.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func members(_ field: String) -> [String]? {
    guard let items = StructuredFields.list(field) else { return nil }
    var groups: [String] = []
    for item in items {
      guard case .string(let group) = item else { return nil }
      groups.append(group)
    }
    return groups
  }

  /// The tag of a group. A group belongs to one origin (section 2).
  static func tag(_ group: String, origin: String) -> String { "\(origin) \(group)" }

  private static let greatestCount = 128
  private static let greatestLength = 128
}
