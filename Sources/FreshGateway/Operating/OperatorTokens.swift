package import FreshHTTP
internal import Synchronization

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
