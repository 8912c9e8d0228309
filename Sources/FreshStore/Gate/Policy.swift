public import Strategies

/// How a collection, or one call, gets its records: how long they hold, how long they may be served
/// after that, and how the source is asked.
///
/// What a fetch states itself (``FetchDetails``) goes before the policy.
public struct Policy: Sendable {
  /// Where an answer may come from.
  public enum Mode: Sendable, Hashable {
    /// A fresh copy, else the source.
    case copyFirst
    /// The source, else the copy within ``graceOnError``.
    case sourceFirst
    /// The source only; the store is neither read nor written.
    case sourceOnly
    /// The store only; the source is never asked.
    case copyOnly(allowsStale: Bool)
  }

  /// When a fresh copy is refreshed ahead of its expiry, in the background.
  public enum EagerRefresh: Sendable, Hashable {
    /// Never.
    case never
    /// Once the given part of its lifetime has passed, 0 ... 1.
    case afterFraction(Double)
    /// By chance that grows towards the expiry and with the cost of the last fetch (XFetch, VLDB
    /// 2015); a larger `beta` refreshes earlier, 1 is the paper's optimum.
    case probabilistic(beta: Double)
  }

  /// From when on a fetched value ages, where the fetch does not say so itself.
  public enum AgeBase: Sendable, Hashable {
    /// From when the source was asked: an answer that was long under way may be as old as its
    /// question.
    case request
    /// From when it answered: for sources that take longer than their values hold, and work them out
    /// at their end.
    case response
  }

  /// Who carries out a refresh behind a copy that was already served.
  public enum BackgroundRefresh: Sendable, Hashable {
    /// This store, in a task of its own.
    case byStore
    /// The caller, who finds ``Answer/needsRefresh`` set.
    case byCaller
  }

  /// Where an answer may come from.
  public var mode: Mode = .copyFirst
  /// How long a fetched value holds unless the fetch states it.
  public var expiry: Expiry = .after(.seconds(300))
  /// From when on it ages.
  public var ageBase: AgeBase = .request
  /// The part of the expiry, 0 ... 1, by which it is shortened at random, so that what was loaded
  /// together does not expire together.
  public var jitter = 0.0
  /// Refreshing ahead of the expiry.
  public var eagerRefresh: EagerRefresh = .never
  /// How long past the expiry a copy is served at once while it is refreshed.
  public var graceWhileRevalidating: Duration = .zero
  /// How long past the expiry a copy stands in for a failed fetch.
  public var graceOnError: Duration = .zero
  /// The same while the origin's breaker is open; `nil` for ``graceOnError``.
  public var graceWhileOriginIsDown: Duration?
  /// How long after its last update a copy may be served at all; `nil` for no end.
  public var hardEnd: Duration?
  /// True when a stale copy may never be served, offline or not.
  public var mustRevalidate = false
  /// How long a caller waits before a stale copy is served while the fetch goes on; `nil` for as
  /// long as the fetch takes.
  public var softTimeout: Duration?
  /// How long one fetch may take. It is cancelled then, and its key is free even if it goes on.
  public var hardTimeout: Duration = .seconds(30)
  /// How long a fetch that another owner has begun is waited for; `nil` for as long as
  /// ``hardTimeout``.
  public var waitingTimeout: Duration?
  /// The pause after a first failed fetch, during which a copy stands in without a new attempt; it
  /// doubles with each failure, up to ``maximumRetryPause``, with full jitter.
  public var retryPause: Duration = .seconds(1)
  /// The longest pause between attempts.
  public var maximumRetryPause: Duration = .seconds(300)
  /// How long the answer that an object does not exist holds; `nil` to remember no such answer.
  public var negativeExpiry: Expiry? = .after(.seconds(60))
  /// Asked, when a fetch failed and the graces do not apply, whether the stale copy may stand in
  /// all the same: it sees the failure and what the store holds.
  public var fallback: (@Sendable (FetchFailure, Decision) -> Bool)?
  /// Who refreshes behind a copy that was already served.
  public var backgroundRefresh: BackgroundRefresh = .byStore
  /// How reachability is treated; forced or ignored by whoever knows better.
  public var reachability: JudgementContext.ReachabilityHandling = .ask
  /// Whether a copy of the given variant answers the request (RFC 9111 section 4.1); `nil` accepts
  /// every variant. A copy that does not is never served.
  public var acceptsVariant: (@Sendable (String?) -> Bool)?
  /// False for a refresh that somebody asks for by hand: the source is asked once, whatever pause goes
  /// on after failures of the record, of the way to it or of its origin. That it is provably out of
  /// reach still holds.
  public var heedsPauses = true
  /// The origin whose breaker guards the fetches; `nil` for none.
  public var origin: Origin?
  /// What the fetches have in common by which the way to their source is judged, where no origin is named;
  /// `nil` for the collection.
  package var way: String?

  /// The defaults: a fresh copy, else the source; nothing stale, except offline.
  public init() {}

  /// A fresh copy, else the source; nothing stale, except offline.
  public static var cacheFirst: Policy { Policy() }

  /// Any copy at once, refreshed behind when stale; errors hide behind the copy.
  public static var offlineFirst: Policy {
    var policy = Policy()
    policy.graceWhileRevalidating = .unlimited
    policy.graceOnError = .unlimited
    return policy
  }

  /// The source, else whatever copy there is.
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

  /// Never a stale copy, whatever happens.
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

extension Duration {
  /// Longer than any record lives: some 30,000 years.
  public static var unlimited: Duration { .milliseconds(1_000_000_000_000_000 as Int64) }
}
