import FreshStore
import FreshSync
import Strategies

/// What does not change while a script runs.
public struct Setting: Codable, Hashable, Sendable {
  /// How the collection gets its records.
  public enum Gate: String, Codable, CaseIterable, Sendable {
    case cacheFirst, offlineFirst, windows, strict
  }

  /// Who wins when the source holds another change than a local write was made upon.
  public enum Conflicts: String, Codable, CaseIterable, Sendable {
    case serverWins, clientWins, parks
  }

  /// How many stores have the file open.
  public var stores: Int
  /// How the collection gets its records.
  public var gate: Gate
  /// Who wins.
  public var conflicts: Conflicts
  /// In seconds.
  public var retryPause: Int
  /// How long a fetch or a push may take, in seconds; `nil` for longer than any script runs.
  public var timeout: Int?
  /// True when breakers guard the origins; not at all when `nil`.
  public var isGuarded: Bool?

  /// Creates a setting.
  public init(
    stores: Int, gate: Gate, conflicts: Conflicts, retryPause: Int, timeout: Int? = nil,
    isGuarded: Bool? = nil
  ) {
    (self.stores, self.gate, self.conflicts) = (stores, gate, conflicts)
    (self.retryPause, self.timeout, self.isGuarded) = (retryPause, timeout, isGuarded)
  }

  /// Every record's, unless the source states another.
  static let expiry = Lifetime.long
  /// How long a lease holds, and how often it is renewed.
  static let lease = Duration.seconds(6)
  static let renewal = Duration.seconds(2)
  /// How long writes are handed out for.
  static let holding = Duration.seconds(60)
  /// As it is by default.
  static let outage = SyncOptions().outage
  static let longestPause = Duration.seconds(60)
  static let breaker = BreakerPolicy(
    threshold: 2, minimumPause: .seconds(4), maximumPause: .seconds(16))
  /// What takes the place of chance.
  static let chance = 0.5
  static let allowedSkew = Duration.seconds(5)

  var hardTimeout: Duration { .seconds(timeout ?? 1000) }

  /// The policy of the collection.
  var policy: Policy {
    var policy = Policy()
    switch gate {
    case .cacheFirst: break
    case .offlineFirst: policy = .offlineFirst
    case .windows:
      policy.graceWhileRevalidating = .seconds(5)
      policy.graceOnError = .seconds(20)
      policy.hardEnd = .seconds(60)
    case .strict: policy = .strict
    }
    policy.expiry = Self.expiry.expiry
    policy.negativeExpiry = Self.expiry.expiry
    policy.retryPause = .seconds(retryPause)
    policy.maximumRetryPause = Self.longestPause
    policy.hardTimeout = hardTimeout
    policy.graceWhileOriginIsDown = .seconds(40)
    policy.origin = origin(.plain)
    return policy
  }

  /// Who is asked; `nil` when nothing guards it.
  func origin(_ how: How) -> String? {
    isGuarded == true ? how == .sourceFirst ? "mirror" : "origin" : nil
  }

  /// The policy of one call.
  func policy(_ how: How) -> Policy {
    var policy = policy
    switch how {
    case .plain, .refresh: break
    case .sourceFirst:
      policy.mode = .sourceFirst
      policy.origin = origin(.sourceFirst)
    case .strict: policy.mustRevalidate = true
    case .copyOnly: policy.mode = .copyOnly(allowsStale: true)
    }
    return policy
  }

  var conflictPolicy: ConflictPolicy<Int> {
    switch conflicts {
    case .serverWins: .serverWins
    case .clientWins: .clientWins
    case .parks: .parks
    }
  }
}
