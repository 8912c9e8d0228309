public import Strategies

/// The rules by which a collection, or one call, gets its records.
///
/// They say how long records are valid, how long they may be served after that, and how the source is asked.
/// Facts that a fetch states itself (``FetchDetails``) take precedence over the policy.
///
/// Durations range from zero to `Duration.unlimited`, parts from 0 to 1. A collection, or a call, with a number
/// outside its range is refused with ``StoreError/Code/invalidArgument(_:)``.
public struct Policy: Sendable {
  /// The order in which the copy and the source answer.
  ///
  /// | mode | fresh copy | stale copy | no copy | the source fails | provably offline |
  /// | --- | --- | --- | --- | --- | --- |
  /// | ``cacheFirst`` | answers | source is asked | source is asked | the stale copy within ``Policy/graceOnError``, or the error | the copy, or the error `offline` |
  /// | ``sourceFirst`` | source is asked | source is asked | source is asked | a fresh copy, a stale one within ``Policy/graceOnError``, or the error | the copy, or the error `offline` |
  /// | ``sourceOnly`` | source is asked | source is asked | source is asked | the error | the error `offline` |
  /// | ``cacheOnly(allowsStale:)`` | answers | the error `stale`, or the copy where allowed | the error `missing` | not asked | the copy, or the error `missing` |
  /// | ``bypass`` | source is asked | source is asked | source is asked | the error | the error `offline` |
  ///
  /// In `cacheFirst` a stale copy within ``Policy/graceWhileRevalidating`` answers at once and is refreshed in the
  /// background. A copy that must be revalidated answers while it is fresh, and never when it is stale. A local write
  /// that waits for its source answers in every mode but `sourceOnly` and `bypass`. The source's report that an object
  /// does not exist is a copy like any other: its answer is the error `absent`.
  ///
  /// During a pause after failures a copy that may replace a failed fetch answers without a new attempt. Without such
  /// a copy a get fails at once. An answer in place of a failed fetch has its reason in ``Answer/fetchFailure``. All
  /// modes but `bypass` store the source's answers. No mode asks an origin that is held (``Store/hold(_:because:)``).
  ///
  /// A ``RecordCollection/refresh(_:policy:fetch:)-(String,_,_)`` asks the source in every mode, at once and
  /// regardless of pauses.
  public enum Mode: Sendable, Hashable {
    /// A fresh copy, otherwise the source.
    case cacheFirst
    /// The source, otherwise a copy.
    case sourceFirst
    /// The source; no copy answers when it fails.
    case sourceOnly
    /// The copy; the source is never asked.
    case cacheOnly(allowsStale: Bool)
    /// The source; the store is neither read nor written.
    case bypass

    /// True when no copy may replace the source's answer.
    var needsSource: Bool {
      switch self {
      case .sourceOnly, .bypass: true
      case .cacheFirst, .sourceFirst, .cacheOnly: false
      }
    }

    /// True when the source is asked whatever the copy.
    var asksAlways: Bool { needsSource || self == .sourceFirst }
  }

  /// The time at which a fresh copy is refreshed ahead of its expiry, in the background.
  public enum EagerRefresh: Sendable, Hashable {
    /// Never.
    case never
    /// When the given part of its lifetime has passed, 0 ... 1.
    case afterFraction(Double)
    /// At random, with a chance that grows towards the expiry and with the cost of the last fetch (XFetch, VLDB 2015).
    /// A larger `beta` refreshes earlier; 1 is the paper's optimum.
    case probabilistic(beta: Double)
  }

  /// The base of a fetched value's age, unless the fetch states it.
  public enum AgeBase: Sendable, Hashable {
    /// The time of the request: an answer that took long may be as old as its request.
    case request
    /// The time of the answer: for sources that take longer than their values are valid, and compute the values last.
    case response
  }

  /// The party that refreshes a copy after it was served.
  package enum BackgroundRefresh: Sendable, Hashable {
    /// This store, in a task of its own.
    case byStore
    /// The caller, which finds ``Answer/needsRefresh`` set.
    case byCaller
  }

  /// The order in which the copy and the source answer.
  public var mode: Mode
  /// How long a fetched value is valid unless the fetch states it.
  /// Stored copies keep the expiry that they have: see ``maximumAge``.
  public var expiry: Expiry
  /// The base of a fetched value's age.
  public var ageBase: AgeBase = .request
  /// The part of the expiry, 0 ... 1, by which it is shortened at random, so that records loaded
  /// together do not expire together.
  public var jitter: Double
  /// The rule for refreshing ahead of the expiry.
  public var eagerRefresh: EagerRefresh
  /// The age from which a copy is stale for this policy, whatever its expiry; `nil` for none.
  /// It counts at every read, so a shorter age applies at once to copies that are stored already. It marks nothing:
  /// for other callers, sweeps and the refetch queue the expiry of each copy counts.
  public var maximumAge: Duration?
  /// How long past the expiry a copy is served at once while it is refreshed.
  public var graceWhileRevalidating: Duration
  /// How long past the expiry a copy replaces the result of a failed fetch.
  public var graceOnError: Duration
  /// How long past the expiry a copy is served when the origin's breaker is open or the origin is held, so that no
  /// fetch is made; `nil` for ``graceOnError``.
  public var graceWhileOriginIsDown: Duration?
  /// How long after its last update a copy may be served at all; `nil` for no end.
  public var hardEnd: Duration?
  /// True when a stale copy may never be served, offline or not.
  public var mustRevalidate: Bool
  /// How long a caller waits before a stale copy is served while the fetch continues; `nil` for as
  /// long as the fetch takes.
  public var softTimeout: Duration?
  /// How long one fetch may take.
  /// The fetch is then cancelled, and its key is free even if the fetch continues.
  public var hardTimeout: Duration
  /// How long to wait for a fetch that another caller or process has begun; `nil` for as long as ``hardTimeout``.
  public var waitingTimeout: Duration?
  /// The pause after a first failed fetch, during which only a refresh makes a new attempt.
  /// A get serves a copy if it may, and otherwise fails at once. The pause doubles with each failure, up to
  /// ``maximumRetryPause``, with full jitter.
  public var retryPause: Duration = .seconds(1)
  /// The longest pause between attempts.
  public var maximumRetryPause: Duration = .seconds(300)
  /// How long the answer that an object does not exist is valid; `nil` to remember no such answer.
  public var negativeExpiry: Expiry?
  /// Decides, when a fetch failed and the graces do not apply, whether the stale copy may be served
  /// anyway. It gets the failure and the stored state.
  public var fallback: (@Sendable (FetchFailure, Decision) -> Bool)?
  /// The party that refreshes a copy after it was served.
  package var backgroundRefresh: BackgroundRefresh = .byStore
  /// The use of reachability; an application with better knowledge forces or ignores it.
  public var reachability: JudgementContext.ReachabilityHandling = .ask
  /// Whether a copy of the given variant answers the request (RFC 9111 section 4.1); `nil` accepts every variant.
  /// A copy that is not accepted is never served.
  public var acceptsVariant: (@Sendable (String?) -> Bool)?
  /// False for a manual refresh: the source is asked once, despite any pause after failures. It overrides pauses of the
  /// record, of the route to its source and of its origin. A provably unreachable source is still not asked.
  var heedsPauses = true
  /// The origin whose breaker guards the fetches; `nil` for the origin of the source (`RecordSource.breakerOrigin`).
  /// When the source has none either, there is no breaker, and each record pauses by itself.
  public var origin: Origin?
  /// The rules of that breaker; `nil` for the store's rules.
  package var breaker: BreakerPolicy?
  /// The name under which fetches share their findings about the route to their source, if no origin is named;
  /// `nil` for the collection.
  package var route: String?

  /// Creates a policy; every number left out has the default of ``cacheFirst``.
  public init(
    mode: Mode = .cacheFirst, expiry: Expiry = .after(.minutes(5)), jitter: Double = 0,
    eagerRefresh: EagerRefresh = .never, graceWhileRevalidating: Duration = .zero,
    graceOnError: Duration = .zero, hardEnd: Duration? = nil, mustRevalidate: Bool = false,
    softTimeout: Duration? = nil, hardTimeout: Duration = .seconds(30),
    negativeExpiry: Expiry? = .after(.minutes(1))
  ) {
    self.mode = mode
    self.expiry = expiry
    self.jitter = jitter
    self.eagerRefresh = eagerRefresh
    self.graceWhileRevalidating = graceWhileRevalidating
    self.graceOnError = graceOnError
    self.hardEnd = hardEnd
    self.mustRevalidate = mustRevalidate
    self.softTimeout = softTimeout
    self.hardTimeout = hardTimeout
    self.negativeExpiry = negativeExpiry
  }
}

extension Policy {
  /// Whether the copy may answer while the source is not asked, or when it fails.
  func mayStandIn(_ decision: Decision) -> Bool { !mode.needsSource && decision.mayStandIn }

  /// How long a caller waits for a fetch of another owner.
  var waitingLimit: Duration { waitingTimeout ?? hardTimeout }

  /// The expiry of an answer: its own or the policy's, shortened by random jitter.
  func expiry(of details: FetchDetails, random: () -> Double) -> Expiry {
    let expiry = details.expiry(orOfPolicy: expiry)
    guard case .after(let duration) = expiry, jitter > 0 else { return expiry }
    return .after(min(duration, .unlimited) * (1 - min(1, jitter) * random()))
  }

  var numbers: NumberCheck {
    var numbers = NumberCheck()
    if case .after(let duration) = expiry {
      numbers.require("expiry", duration, from: Self.longestPast)
    }
    if case .after(let duration)? = negativeExpiry {
      numbers.require("negativeExpiry", duration, from: Self.longestPast)
    }
    numbers.require("jitter", jitter, from: 0, to: 1)
    switch eagerRefresh {
    case .never: break
    case .afterFraction(let part): numbers.require("afterFraction", part, from: 0, to: 1)
    case .probabilistic(let beta): numbers.require("beta", beta, from: 0, to: 1_000_000)
    }
    numbers.require("maximumAge", maximumAge)
    numbers.require("graceWhileRevalidating", graceWhileRevalidating)
    numbers.require("graceOnError", graceOnError)
    numbers.require("graceWhileOriginIsDown", graceWhileOriginIsDown)
    numbers.require("hardEnd", hardEnd)
    numbers.require("softTimeout", softTimeout)
    numbers.require("hardTimeout", hardTimeout)
    numbers.require("waitingTimeout", waitingTimeout)
    numbers.require("retryPause", retryPause)
    numbers.require("maximumRetryPause", maximumRetryPause)
    if let breaker { numbers.require(breaker.numbers) }
    return numbers
  }

  /// A negative expiry reads as ``Expiry/immediately``.
  private static let longestPast = Duration.zero - .unlimited
}

/// A policy behind a reference, because every read passes it on.
@usableFromInline
final class SharedPolicy: Sendable {
  let policy: Policy

  @usableFromInline
  init(_ policy: Policy) {
    self.policy = policy
  }
}
