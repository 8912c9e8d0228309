package import Strategies

/// The permitted use of a response by a private store, and its duration (RFC 9111).
package struct ResponseFreshness: Sendable, Hashable {
  /// True when the response may be kept (section 3).
  package let isStorable: Bool
  /// The moment to count the age from: `age(now)` is `now - lastUpdate` (section 4.2.3).
  package let lastUpdate: Timestamp
  /// How long it is fresh from ``lastUpdate`` (section 4.2.1); unstated when the response states
  /// nothing and the heuristic makes no guess.
  package let expiry: Expiry
  /// True when it must never be served stale (sections 5.2.2.2, 5.2.2.4).
  package let mustRevalidate: Bool
  /// The window of `stale-while-revalidate`; `nil` when the source states none or forbids it.
  package let staleWhileRevalidate: Duration?
  /// The window of `stale-if-error`; `nil` when the source states none or forbids it.
  package let staleIfError: Duration?
  /// True when the content will not change while fresh, even if a user asks again (RFC 8246).
  package let isImmutable: Bool
}
