/// A question for one key: is there a newer record, or may I fetch it?
public struct SharedClaim: Sendable, Hashable {
  /// The key.
  public var key: SharedKey
  /// The edition that is of no use to the host, because it has it, or refused it; `nil` for none.
  public var known: Int64?
  /// True for a host that asks the source whatever is found.
  public var asksAlways: Bool
  /// True for a caller that asks regardless of the pause of the key.
  public var ignoresPause: Bool
  /// False for a host that does not ask the source: it only looks, and where it might fetch the key there is no result.
  public var takesLease: Bool

  /// Creates a claim.
  public init(
    _ key: SharedKey, known: Int64? = nil, asksAlways: Bool = false, ignoresPause: Bool = false,
    takesLease: Bool = true
  ) {
    (self.key, self.known) = (key, known)
    (self.asksAlways, self.ignoresPause) = (asksAlways, ignoresPause)
    self.takesLease = takesLease
  }
}

/// The result of a claim.
public enum SharedClaimResult: Sendable, Hashable {
  /// There is a fresh record.
  case found(SharedFinding)
  /// The host may fetch the key.
  case granted(SharedLease)
  /// Another owner is fetching it, and has this long to do so.
  case held(by: String, remaining: Duration)
  /// The last fetch failed, and the next one is due after this time.
  case paused(remaining: Duration, reason: String)
}

/// The fleet's lease of one key: one owner holds it until it ends by the clock of the shared tier.
public struct SharedLease: Sendable, Hashable {
  /// The key.
  public let key: SharedKey
  /// Names this lease among all that the key ever had. It is drawn at random: a counter would repeat
  /// itself after its history was lost.
  public let fence: Int64
  /// The number of the newest mark when it was granted: later ones cover what it lands.
  public let number: Int64

  /// Creates a lease.
  public init(key: SharedKey, fence: Int64, number: Int64) {
    (self.key, self.fence, self.number) = (key, fence, number)
  }
}

/// The reason and the length of a pause, of a key or of an origin.
public struct SharedPause: Sendable, Hashable {
  /// The time until the next attempt.
  public var duration: Duration
  /// The reason.
  public var reason: String

  /// Creates a pause.
  public init(_ duration: Duration, reason: String) {
    (self.duration, self.reason) = (duration, reason)
  }
}

/// The identity of a record in the shared tier: bytes, compared as such.
public struct SharedKey: Sendable, Hashable {
  /// The bytes of the collection's name.
  public let collection: [UInt8]
  /// The bytes of the key.
  public let key: [UInt8]

  /// Creates one from any bytes.
  public init(collection: [UInt8], key: [UInt8]) {
    (self.collection, self.key) = (collection, key)
  }

  /// Creates one from names as a store has them.
  public init(_ collection: String, _ key: String) {
    self.init(collection: Array(collection.utf8), key: Array(key.utf8))
  }
}

/// A record as the hosts of a fleet share it.
public struct SharedRecord: Sendable, Hashable {
  /// True when the source says that the object does not exist.
  public var isAbsent: Bool
  /// The value's bytes; `nil` for an absent one, and for a value that stays with the host that has it: every other host
  /// asks the source for itself, without a lease, and waits for nobody.
  public var value: [UInt8]?
  /// The tags: a mark of one of them covers the record.
  public var tags: [[UInt8]]
  /// The other stamps, in the form of the store; the tier does not read them.
  public var stamps: [UInt8]
  /// The time since the record was last known to equal its source.
  public var age: Duration
  /// The time for which it is fresh, from its last update; `nil` for ever.
  public var lifetime: Duration?
  /// For a record that lands: the time from the grant of the lease, as its host heard of it, to the record's last
  /// update, by the host's clock. It is negative where the source states that the record is older; `nil` counts as
  /// zero. However late the landing arrives, the tier takes no record for younger than this.
  public var updatedAfterGrant: Duration?

  /// Creates a record.
  public init(
    value: [UInt8]?, isAbsent: Bool = false, tags: [[UInt8]] = [], stamps: [UInt8] = [],
    age: Duration = .zero, lifetime: Duration? = nil, updatedAfterGrant: Duration? = nil
  ) {
    (self.value, self.isAbsent, self.tags, self.stamps) = (value, isAbsent, tags, stamps)
    (self.age, self.lifetime, self.updatedAfterGrant) = (age, lifetime, updatedAfterGrant)
  }
}

/// A fresh record of the shared tier that no mark covers.
public struct SharedFinding: Sendable, Hashable {
  /// The record.
  public let record: SharedRecord
  /// Distinguishes it from every other record that this key has or had.
  public let edition: Int64
  /// The number of the newest mark when its source was asked.
  public let number: Int64
  /// The host that brought it.
  public let owner: String

  /// Creates a finding.
  public init(record: SharedRecord, edition: Int64, number: Int64, owner: String) {
    (self.record, self.edition, self.number, self.owner) = (record, edition, number, owner)
  }
}

/// The longest names that the hosts of a fleet share, in bytes of UTF-8: those that a mark can name.
package enum SharedNameLimit {
  package static let collection = 255
  package static let key = 1024
  package static let tag = 1024
}

extension SharedKey {
  /// Refuses what is too long for a fleet.
  package func check() throws(SharedTierError) {
    try SharedTierError.check(collection, "a collection", atMost: SharedNameLimit.collection)
    try SharedTierError.check(key, "a key", atMost: SharedNameLimit.key)
  }
}

extension SharedMark.Scope {
  /// Refuses what is too long for a fleet.
  package func check() throws(SharedTierError) {
    switch self {
    case .key(let key): try key.check()
    case .tag(let tag):
      try SharedTierError.check(tag, "a tag", atMost: SharedNameLimit.tag)
    case .prefix(let prefix, let collection):
      try SharedTierError.check(collection, "a collection", atMost: SharedNameLimit.collection)
      try SharedTierError.check(prefix, "a prefix", atMost: SharedNameLimit.key)
    case .collection(let name):
      try SharedTierError.check(name, "a collection", atMost: SharedNameLimit.collection)
    case .all: break
    }
  }
}

extension SharedTierError {
  fileprivate static func check(
    _ name: [UInt8], _ kind: String, atMost limit: Int
  ) throws(SharedTierError) {
    guard name.count > limit else { return }
    throw SharedTierError(
      .invalidArgument,
      "\(kind) has at most \(limit) bytes in a fleet, and this one has \(name.count)")
  }
}
