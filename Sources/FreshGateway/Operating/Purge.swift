internal import FreshHTTP

/// What an operator wants to be fetched again, by the method `PURGE`.
///
/// No standard has this method; Squid, Varnish and those that offer a cache as a service understand it.
struct Purge: Sendable, Hashable {
  static let method = "PURGE"

  enum Scope: Sendable, Hashable {
    /// All variants of an address.
    case address(String)
    /// All addresses that begin so.
    case prefix(String)
    /// The answers of an origin that have named one of these groups (RFC 9875).
    case groups([String], origin: String)
  }

  /// What becomes of the copies.
  enum Manner: String, Sendable {
    /// They are stale: the next request has them confirmed or fetched, and they stand in where the origin fails.
    /// What is the same as before costs a 304, and an outage finds answers.
    case soft
    /// They are removed, and answer nobody any more.
    case hard
  }

  let scope: Scope
  let manner: Manner

  init(_ request: GatewayRequest) throws(RequestRefusal) {
    guard let address = request.address else { throw .malformed("a purge is of an address") }
    switch request.fields.combined("Purge-Mode").map(FieldSyntax.lowercased) {
    case nil, "soft"?: manner = .soft
    case "hard"?: manner = .hard
    case .some: throw .malformed("Purge-Mode is soft or hard")
    }
    if let field = request.fields.combined("Cache-Groups") {
      scope = .groups(try CacheGroups.readAll(field), origin: address.origin)
    } else if address.text.hasSuffix("*") {
      scope = .prefix(String(address.text.dropLast()))
    } else {
      scope = .address(address.text)
    }
  }
}
