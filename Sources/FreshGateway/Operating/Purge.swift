internal import FreshHTTP
internal import Synchronization

/// An operator's request to fetch copies again, by the method `PURGE`.
///
/// No standard defines this method. Squid, Varnish and hosted caches understand it.
struct Purge: Sendable, Hashable {
  static let method = "PURGE"

  enum Scope: Sendable, Hashable {
    /// All variants of an address.
    case address(String)
    /// All addresses with this prefix.
    case prefix(String)
    /// The responses of an origin that name one of these groups (RFC 9875).
    case groups([String], origin: String)
  }

  /// How the purge treats the copies.
  enum Manner: String, Sendable {
    /// The copies become stale. The next request revalidates them, which costs a 304 for an unchanged copy. They are
    /// served stale when the origin fails.
    case soft
    /// The copies are removed.
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

/// The secrets that identify operators: `Authorization: Bearer TOKEN` (RFC 6750 section 2.1).
package final class OperatorTokens: Sendable {
  private let tokens: Mutex<[[UInt8]]>

  /// - Parameter tokens: Each token suffices, so that a new one can replace an old one.
  package init(_ tokens: [String]) {
    self.tokens = Mutex(Self.secrets(tokens))
  }

  /// Accepts only these tokens from now on.
  package func replace(by tokens: [String]) {
    let secrets = Self.secrets(tokens)
    self.tokens.withLock { $0 = secrets }
  }

  private static func secrets(_ tokens: [String]) -> [[UInt8]] {
    tokens.filter { !$0.isEmpty }.map { Array($0.utf8) }
  }

  /// False also for several such fields, because another party may have added one.
  func admit(_ fields: HeaderFields) -> Bool {
    let values = fields.values("Authorization")
    guard values.count == 1, let value = values.first else { return false }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, FieldSyntax.equalIgnoringCase(parts[0], "Bearer") else { return false }
    let given = Array(FieldSyntax.trimmed(parts[1]).utf8)
    // Compares all tokens to their end, so that the time reveals nothing about the right one.
    return tokens.withLock { tokens in
      tokens.reduce(false) { found, token in Self.areEqual(given, token) || found }
    }
  }

  /// Compares in a time that depends only on the length of the given token.
  private static func areEqual(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
    var difference = given.count ^ secret.count
    for (place, byte) in given.enumerated() {
      difference |= Int(byte ^ secret[place % secret.count])
    }
    return difference == 0
  }
}

#if Gateway
  internal import FreshStore

  extension GatewayCore {
    /// Returns an operator's operation, which may wait; `nil` for a client's request.
    func operation(for request: GatewayRequest) -> (@Sendable () async -> AnswerPlan)? {
      guard request.method == Purge.method else { return nil }
      guard let tokens = options.operatorTokens else {
        // A forward proxy passes `PURGE` on, like every method that it does not know.
        guard !servesAnyOrigin else { return nil }
        let refusal = semantics.own(403, "this gateway was started without purges", for: request)
        return { refusal }
      }
      guard tokens.admit(request.fields) else {
        var refusal = semantics.own(401, "a purge needs the token of an operator", for: request)
        refusal.fields.set("WWW-Authenticate", "Bearer realm=\"\(policy.name)\"")
        return { [refusal] in refusal }
      }
      do throws(RequestRefusal) {
        let purge = try Purge(request)
        return { await self.answer(to: purge, request) }
      } catch {
        let refusal = semantics.own(error.status, error.reason, for: request)
        return { refusal }
      }
    }

    private func answer(to purge: Purge, _ request: GatewayRequest) async -> AnswerPlan {
      // New requests must not join a flight that began before the purge.
      switch purge.scope {
      case .address(let address): flights.outdate(CopyKey(address))
      case .prefix: flights.outdateAll()
      case .groups(let groups, let origin):
        flights.outdate(tags: groups.map { CacheGroups.tag($0, origin: origin) })
      }
      do throws(StoreError) {
        let count = try await shelf.purge(purge)
        figures.notePurge(of: count)
        guard count > 0 || store.isOfFleet else {
          return semantics.own(404, "there is no copy to purge", for: request)
        }
        return semantics.own(200, "purged: \(count)", for: request)
      } catch {
        noteUnkept(error)
        // An unsafe request leaves a mark to be retried. A failed purge does not: its caller gets an error.
        let words =
          "nothing was purged, or not all: the store does not take it; send the purge again"
        return semantics.own(503, words, for: request)
      }
    }
  }

  extension Exchange {
    /// Answers with the result of an operation.
    func run(_ operation: @Sendable () async -> AnswerPlan) async {
      let plan = await operation()
      do {
        let length = try await client.write(.whole(plan, nil))
        client.finish(
          Ending(status: plan.status, length: length, decision: plan.fields.decision))
      } catch {
        // The client has left.
        client.finish(Ending(isBroken: true))
      }
    }
  }
#endif
