import FreshStore
import FreshSync
import Strategies

/// The fixed properties of a script.
public struct Setting: Codable, Hashable, Sendable {
  /// The way in which the collection gets its records.
  public enum Gate: String, Codable, CaseIterable, Sendable {
    case cacheFirst, offlineFirst, windows, strict
  }

  /// The winner when the source holds another change than the base of a local write.
  public enum Conflicts: String, Codable, CaseIterable, Sendable {
    case serverWins, clientWins, parks
  }

  /// The number of stores that have the file open.
  public var stores: Int
  /// The way in which the collection gets its records.
  public var gate: Gate
  /// The winner of a conflict.
  public var conflicts: Conflicts
  /// In seconds.
  public var retryPause: Int
  /// The time limit of a fetch or a push, in seconds; `nil` for longer than any script runs.
  public var timeout: Int?
  /// True when breakers guard the origins; not at all when `nil`.
  public var isGuarded: Bool?
  /// The size around which some of the values lie, in bytes; all are small when `nil`.
  public var largeValues: Int?

  /// Creates a setting.
  public init(
    stores: Int, gate: Gate, conflicts: Conflicts, retryPause: Int, timeout: Int? = nil,
    isGuarded: Bool? = nil, largeValues: Int? = nil
  ) {
    (self.stores, self.gate, self.conflicts) = (stores, gate, conflicts)
    (self.retryPause, self.timeout, self.isGuarded) = (retryPause, timeout, isGuarded)
    self.largeValues = largeValues
  }

  /// The expiry of every record, unless the source states another.
  static let expiry = Lifetime.long
  /// The duration of a lease, and the interval of its renewal.
  static let lease = Duration.seconds(6)
  static let renewal = Duration.seconds(2)
  /// The duration of a claim on writes.
  static let holding = Duration.seconds(60)
  /// The default.
  static let outage = SyncOptions().outage
  static let longestPause = Duration.seconds(60)
  static let breaker = BreakerPolicy(
    threshold: 2, minimumPause: .seconds(4), maximumPause: .seconds(16))
  /// The replacement of randomness.
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
    policy.origin = origin(.plain).map { Origin($0) }
    return policy
  }

  /// The breaker to ask; `nil` when nothing guards the origin.
  func origin(_ how: How) -> String? {
    isGuarded == true ? how == .sourceFirst ? Self.mirror : Self.origin : nil
  }

  static let origin = "origin"
  static let mirror = "mirror"

  /// The policy of one call.
  func policy(_ how: How) -> Policy {
    var policy = policy
    switch how {
    case .plain, .renew, .refresh: break
    case .sourceFirst:
      policy.mode = .sourceFirst
      policy.origin = origin(.sourceFirst).map { Origin($0) }
    case .sourceOnly: policy.mode = .sourceOnly
    case .strict: policy.mustRevalidate = true
    case .cacheOnly: policy.mode = .cacheOnly(allowsStale: true)
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
