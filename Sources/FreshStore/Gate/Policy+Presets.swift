public import Strategies

extension Policy {
  /// A fresh copy, otherwise the source; nothing stale, except offline.
  public static var cacheFirst: Policy { Policy() }

  /// Any copy at once, refreshed in the background when stale; the copy hides errors.
  public static var offlineFirst: Policy {
    Policy(graceWhileRevalidating: .unlimited, graceOnError: .unlimited)
  }

  /// The source, otherwise any copy.
  public static var sourceFirst: Policy {
    Policy(mode: .sourceFirst, graceOnError: .unlimited)
  }

  /// The source, and its error when it fails; its answers are stored.
  public static var sourceOnly: Policy { Policy(mode: .sourceOnly) }

  /// The store only; a stale copy is an error.
  public static var cacheOnly: Policy { Policy(mode: .cacheOnly(allowsStale: false)) }

  /// Never a stale copy, in any case.
  public static var strict: Policy { Policy(mustRevalidate: true) }
}

extension Policy {
  /// This policy with a changed property: `policy.with(\.origin, origin)`.
  public func with<Part>(_ property: WritableKeyPath<Policy, Part>, _ value: Part) -> Policy {
    var policy = self
    policy[keyPath: property] = value
    return policy
  }

  /// This policy with another ``mode``.
  public func mode(_ mode: Mode) -> Policy { with(\.mode, mode) }

  /// This policy with another ``expiry``.
  public func expiring(_ expiry: Expiry) -> Policy { with(\.expiry, expiry) }

  /// This policy with an ``expiry`` after a duration.
  public func expiring(_ duration: Duration) -> Policy { expiring(.after(duration)) }

  /// This policy with another base of a fetched value's age.
  public func ageBase(_ base: AgeBase) -> Policy { with(\.ageBase, base) }

  /// This policy with another ``jitter``: the part of the expiry, 0 ... 1.
  public func jitter(_ part: Double) -> Policy { with(\.jitter, part) }

  /// This policy with another rule for refreshing ahead of the expiry.
  public func eagerRefresh(_ rule: EagerRefresh) -> Policy { with(\.eagerRefresh, rule) }

  /// This policy with another ``maximumAge``.
  public func maximumAge(_ age: Duration?) -> Policy { with(\.maximumAge, age) }

  /// This policy with another ``graceWhileRevalidating``.
  public func graceWhileRevalidating(_ grace: Duration) -> Policy {
    with(\.graceWhileRevalidating, grace)
  }

  /// This policy with another ``graceOnError``.
  public func graceOnError(_ grace: Duration) -> Policy { with(\.graceOnError, grace) }

  /// This policy with another ``graceWhileOriginIsDown``.
  public func graceWhileOriginIsDown(_ grace: Duration?) -> Policy {
    with(\.graceWhileOriginIsDown, grace)
  }

  /// This policy with another ``hardEnd``.
  public func hardEnd(_ age: Duration?) -> Policy { with(\.hardEnd, age) }

  /// This policy with another ``mustRevalidate``: with true it never serves a stale copy.
  public func mustRevalidate(_ must: Bool = true) -> Policy { with(\.mustRevalidate, must) }

  /// This policy with another ``softTimeout``.
  public func softTimeout(_ limit: Duration?) -> Policy { with(\.softTimeout, limit) }

  /// This policy with another ``hardTimeout``.
  public func hardTimeout(_ limit: Duration) -> Policy { with(\.hardTimeout, limit) }

  /// This policy with another ``waitingTimeout``.
  public func waitingTimeout(_ limit: Duration?) -> Policy { with(\.waitingTimeout, limit) }

  /// This policy with other pauses between attempts: the first one, and the longest.
  public func retryPause(_ first: Duration, upTo longest: Duration? = nil) -> Policy {
    with(\.retryPause, first).with(\.maximumRetryPause, longest ?? maximumRetryPause)
  }

  /// This policy with another ``negativeExpiry``; `nil` to remember no absent object.
  public func negativeExpiry(_ expiry: Expiry?) -> Policy { with(\.negativeExpiry, expiry) }

  /// This policy with another use of reachability.
  public func reachability(_ handling: JudgementContext.ReachabilityHandling) -> Policy {
    with(\.reachability, handling)
  }

  /// This policy with the breaker of another origin; `nil` for none.
  public func origin(_ origin: Origin?) -> Policy { with(\.origin, origin) }
}

extension Policy {
  /// This policy for a refresh by hand: the source is asked once, now, despite any pause.
  package var askingNow: Policy {
    var policy = self
    if !mode.needsSource { policy.mode = .sourceFirst }
    policy.heedsPauses = false
    return policy
  }
}
