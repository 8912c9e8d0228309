public import Strategies

/// The rules by which a collection, or one call, gets its records: how long they are valid, how
/// long they may be served after that, and how the source is asked.
///
/// Facts that a fetch states itself (``FetchDetails``) take precedence over the policy.
public struct Policy: Sendable {
  /// The permitted sources of an answer.
  public enum Mode: Sendable, Hashable {
    /// A fresh copy, otherwise the source.
    case copyFirst
    /// The source, otherwise the copy within ``graceOnError``.
    case sourceFirst
    /// The source only; the store is neither read nor written.
    case sourceOnly
    /// The store only; the source is never asked.
    case copyOnly(allowsStale: Bool)
  }

  /// The time at which a fresh copy is refreshed ahead of its expiry, in the background.
  public enum EagerRefresh: Sendable, Hashable {
    /// Never.
    case never
    /// Once the given part of its lifetime has passed, 0 ... 1.
    case afterFraction(Double)
    /// At random, with a chance that grows towards the expiry and with the cost of the last fetch
    /// (XFetch, VLDB 2015); a larger `beta` refreshes earlier, 1 is the paper's optimum.
    case probabilistic(beta: Double)
  }

  /// The base of a fetched value's age, unless the fetch states it.
  public enum AgeBase: Sendable, Hashable {
    /// The time of the request: an answer that took long may be as old as its request.
    case request
    /// The time of the answer: for sources that take longer than their values are valid, and
    /// compute them at their end.
    case response
  }

  /// The party that refreshes a copy after it was served.
  package enum BackgroundRefresh: Sendable, Hashable {
    /// This store, in a task of its own.
    case byStore
    /// The caller, which finds ``Answer/needsRefresh`` set.
    case byCaller
  }

  /// The permitted sources of an answer.
  public var mode: Mode = .copyFirst
  /// How long a fetched value is valid unless the fetch states it.
  public var expiry: Expiry = .after(.seconds(300))
  /// The base of its age.
  public var ageBase: AgeBase = .request
  /// The part of the expiry, 0 ... 1, by which it is shortened at random, so that records loaded
  /// together do not expire together.
  public var jitter = 0.0
  /// Refreshing ahead of the expiry.
  public var eagerRefresh: EagerRefresh = .never
  /// How long past the expiry a copy is served at once while it is refreshed.
  public var graceWhileRevalidating: Duration = .zero
  /// How long past the expiry a copy replaces the result of a failed fetch.
  public var graceOnError: Duration = .zero
  /// The same while the origin's breaker is open; `nil` for ``graceOnError``.
  public var graceWhileOriginIsDown: Duration?
  /// How long after its last update a copy may be served at all; `nil` for no end.
  public var hardEnd: Duration?
  /// True when a stale copy may never be served, offline or not.
  public var mustRevalidate = false
  /// How long a caller waits before a stale copy is served while the fetch continues; `nil` for as
  /// long as the fetch takes.
  public var softTimeout: Duration?
  /// How long one fetch may take. It is then cancelled, and its key is free even if it continues.
  public var hardTimeout: Duration = .seconds(30)
  /// How long to wait for a fetch of another owner; `nil` for as long as ``hardTimeout``.
  public var waitingTimeout: Duration?
  /// The pause after a first failed fetch, during which a copy is served without a new attempt; it
  /// doubles with each failure, up to ``maximumRetryPause``, with full jitter.
  public var retryPause: Duration = .seconds(1)
  /// The longest pause between attempts.
  public var maximumRetryPause: Duration = .seconds(300)
  /// How long the answer that an object does not exist is valid; `nil` to remember no such answer.
  public var negativeExpiry: Expiry? = .after(.seconds(60))
  /// Decides, when a fetch failed and the graces do not apply, whether the stale copy may be served
  /// anyway: it gets the failure and the stored state.
  public var fallback: (@Sendable (FetchFailure, Decision) -> Bool)?
  /// The party that refreshes a copy after it was served.
  package var backgroundRefresh: BackgroundRefresh = .byStore
  /// The use of reachability; an application with better knowledge forces or ignores it.
  public var reachability: JudgementContext.ReachabilityHandling = .ask
  /// Whether a copy of the given variant answers the request (RFC 9111 section 4.1); `nil` accepts
  /// every variant. Any other copy is never served.
  public var acceptsVariant: (@Sendable (String?) -> Bool)?
  /// False for a manual refresh: the source is asked once, despite any pause after failures of the
  /// record, of the route to it or of its origin. A provably unreachable source is still not asked.
  package var heedsPauses = true
  /// The origin whose breaker guards the fetches; `nil` for none.
  public var origin: Origin?
  /// The name that fetches share when the route to their source is judged, if no origin is named;
  /// `nil` for the collection.
  package var route: String?

  /// The defaults: a fresh copy, otherwise the source; nothing stale, except offline.
  public init() {}

  /// A fresh copy, otherwise the source; nothing stale, except offline.
  public static var cacheFirst: Policy { Policy() }

  /// Any copy at once, refreshed in the background when stale; the copy hides errors.
  public static var offlineFirst: Policy {
    var policy = Policy()
    policy.graceWhileRevalidating = .unlimited
    policy.graceOnError = .unlimited
    return policy
  }

  /// The source, otherwise any copy.
  public static var networkFirst: Policy {
    var policy = Policy()
    policy.mode = .sourceFirst
    policy.graceOnError = .unlimited
    return policy
  }

  /// The store only; a stale copy is an error.
  public static var cacheOnly: Policy {
    var policy = Policy()
    policy.mode = .copyOnly(allowsStale: false)
    return policy
  }

  /// Never a stale copy, in any case.
  public static var strict: Policy {
    var policy = Policy()
    policy.mustRevalidate = true
    return policy
  }

  /// This policy with another expiry.
  public func expiring(_ expiry: Expiry) -> Policy {
    var policy = self
    policy.expiry = expiry
    return policy
  }
}

extension Policy {
  /// The expiry of an answer: its own, or the policy's, shortened by random jitter.
  func expiry(of details: FetchDetails, random: () -> Double) -> Expiry {
    let expiry = details.expiry(orOfPolicy: expiry)
    guard case .after(let duration) = expiry, jitter > 0 else { return expiry }
    return .after(duration * (1 - min(1, jitter) * random()))
  }
}

extension Duration {
  /// Longer than any record lives: some 30,000 years.
  public static var unlimited: Duration { .milliseconds(1_000_000_000_000_000 as Int64) }
}
