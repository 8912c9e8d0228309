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

/// What a claim has come to.
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

/// The fleet's right to fetch one key, held by one owner until it ends by the clock of the shared tier.
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
