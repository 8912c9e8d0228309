internal import FreshStore
internal import Strategies

/// The limits that the redirects before a response set on its use, in time and audience. The copy is stored
/// under the address of the first request. A chain is no fresher than any of its links (RFC 9110 section
/// 15.4, RFC 9111 section 4.2).
struct RedirectChain {
  private var isStorable = true
  private var mustRevalidate = false
  /// The time at which the first of the redirects becomes stale, on the boot clock, which nobody can set;
  /// `nil` while no redirect sets an end.
  private var end: Duration?
  private var graceWhileRevalidating: Duration?
  private var graceOnError: Duration?
  private var varies = HeaderFields()

  /// Adds a redirect. A permanent one that states no lifetime sets no end.
  mutating func add(
    _ exchange: HTTPExchange, at arrival: ClockReading, _ configuration: HTTPConfiguration
  ) {
    let calculation = FreshnessCalculation(heuristic: configuration.heuristic)
    let freshness = calculation.freshness(of: exchange)
    isStorable = isStorable && calculation.allowsStoring(exchange)
    mustRevalidate = mustRevalidate || freshness.mustRevalidate
    if let vary = exchange.response.combined("Vary") { varies.append("Vary", vary) }
    let isPermanent = exchange.status == 301 || exchange.status == 308
    let expiry =
      freshness.expiry == .unstated && !isPermanent
      ? configuration.temporaryRedirectExpiry : freshness.expiry
    guard let lifetime = expiry.lifetime else { return }
    let isFirst = end == nil
    let ownEnd = arrival.sinceBoot(at: freshness.lastUpdate) + lifetime
    end = min(end ?? ownEnd, ownEnd)
    graceWhileRevalidating = Self.shorter(
      isFirst ? freshness.staleWhileRevalidate : graceWhileRevalidating,
      freshness.staleWhileRevalidate)
    graceOnError = Self.shorter(
      isFirst ? freshness.staleIfError : graceOnError, freshness.staleIfError)
  }

  /// The fields of the last response, with the `Vary` fields of the redirects.
  func fieldsThatSelect(_ response: HeaderFields) -> HeaderFields {
    HeaderFields(response.lines + varies.lines)
  }

  /// Limits the use of the last response, which came at `arrival`, to the terms of the redirects.
  func limit(_ details: inout FetchDetails, at arrival: ClockReading) {
    details.isStorable = details.isStorable && isStorable
    if mustRevalidate {
      details.mustRevalidate = true
      (details.graceWhileRevalidating, details.graceOnError) = (nil, nil)
    }
    guard let end, let lastUpdate = details.lastUpdate else { return }
    details.maximumExpiry = max(.zero, end - arrival.sinceBoot(at: lastUpdate))
    details.graceWhileRevalidating = Self.shorter(
      details.graceWhileRevalidating, graceWhileRevalidating)
    details.graceOnError = Self.shorter(details.graceOnError, graceOnError)
  }

  /// The shorter grace. A chain has one only if all of its links state one.
  private static func shorter(_ one: Duration?, _ other: Duration?) -> Duration? {
    guard let one, let other else { return nil }
    return min(one, other)
  }
}

extension ClockReading {
  /// A moment of this reading's wall clock, on its boot clock.
  fileprivate func sinceBoot(at moment: Timestamp) -> Duration {
    .milliseconds(sinceBoot) + moment.duration(since: wall)
  }
}

extension Expiry {
  /// The time after which it ends; `nil` without an end.
  fileprivate var lifetime: Duration? {
    switch self {
    case .after(let duration): duration
    case .immediately: .zero
    case .never, .unstated: nil
    }
  }
}
