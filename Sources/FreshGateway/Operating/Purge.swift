package import FreshHTTP
internal import Synchronization

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

/// The secrets by which operators show that they are: `Authorization: Bearer TOKEN` (RFC 6750 section 2.1).
package final class OperatorTokens: Sendable {
  private let tokens: Mutex<[[UInt8]]>

  /// - Parameter tokens: Each of them is enough, so that one can take the place of another.
  package init(_ tokens: [String]) {
    self.tokens = Mutex(tokens.filter { !$0.isEmpty }.map { Array($0.utf8) })
  }

  /// From now on these count alone.
  package func replace(by tokens: [String]) {
    let tokens = tokens.filter { !$0.isEmpty }.map { Array($0.utf8) }
    self.tokens.withLock { $0 = tokens }
  }

  /// False also where there is more than one such field: who has added the other?
  package func admit(_ fields: HeaderFields) -> Bool {
    let values = fields.values("Authorization")
    guard values.count == 1, let value = values.first else { return false }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, FieldSyntax.equalIgnoringCase(parts[0], "Bearer") else { return false }
    let given = Array(FieldSyntax.trimmed(parts[1]).utf8)
    // All of them, each to its end: the time tells nothing of what is right.
    return tokens.withLock { tokens in
      tokens.reduce(false) { found, token in Self.areEqual(given, token) || found }
    }
  }

  /// Compares in a time that depends on the length of what was given alone.
  private static func areEqual(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
    var difference = given.count ^ secret.count
    for (place, byte) in given.enumerated() {
      difference |= Int(byte ^ secret[place % secret.count])
    }
    return difference == 0
  }
}
