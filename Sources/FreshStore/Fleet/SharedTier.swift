/// The database that the hosts of a fleet share beside their own files: records, leases, marks and pauses.
///
/// Each operation is one round trip, waits no longer than the tier's own limit, and brings the marks that
/// the host has missed since the position it states. Times are those of the shared tier's clock; hosts
/// send and receive durations alone. A host goes on by itself after any error.
///
/// No mark of the news covers a record that comes with them. Suspect news may be newer than the record that was found
/// with them.
public protocol SharedTier: Sendable {
  /// Finds fresh records, or takes the leases of the keys, or tells who has them. A claim that takes no lease
  /// (``SharedClaim/takesLease``) changes nothing.
  ///
  /// - Parameters:
  ///   - owner: The name of the host, for others to read.
  ///   - duration: The length of the leases.
  func claim(
    _ claims: [SharedClaim], owner: String, for duration: Duration, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]>

  /// Stores records under their leases, which end. Returns the leases that were still valid; what was
  /// fetched under another one is not stored.
  func land(
    _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>>

  /// Ends leases without a record. With a pause nobody of the fleet fetches the keys before its end,
  /// except regardless of it.
  func release(_ leases: [SharedLease], pausing: SharedPause?) async throws(SharedTierError)

  /// Moves the ends of leases; returns those that are still valid.
  func extend(
    _ leases: [SharedLease], for duration: Duration
  ) async throws(SharedTierError) -> Set<SharedLease>

  /// Marks what the scopes cover as stale: durable when it returns, with the numbers of the marks in the
  /// order of the scopes. After an error that is uncertain they may have been made; to repeat them does no
  /// harm.
  func mark(
    _ scopes: [SharedMark.Scope], reason: String, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>>

  /// Marks all records as stale after the history of the journal was lost: durable when it returns.
  ///
  /// It does nothing and returns false where another host was faster: a mark of all records has a later number than
  /// `number`. Its own mark has a later number, too. Of two calls at once the later one sees the earlier one's mark.
  ///
  /// No clock decides: a copy from before the loss that had a later mark would know the host's own.
  ///
  /// - Parameter number: That of the host's place in the history that was lost.
  func markAll(
    reason: String, unlessAfter number: Int64
  ) async throws(SharedTierError) -> Bool

  /// The marks since a position.
  func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews

  /// Pauses an origin for the fleet, unless a longer pause stands; `nil` ends its pause.
  func pause(_ origin: String, _ pause: SharedPause?) async throws(SharedTierError)

  /// The pauses of origins that have not ended.
  func pauses(of origins: [String]) async throws(SharedTierError) -> [String: SharedPause]

  /// Ends the pauses of keys, and takes nobody's lease.
  func endPauses(of keys: [SharedKey]) async throws(SharedTierError)

  /// Ends all pauses, of keys and of origins.
  func endPauses() async throws(SharedTierError)

  /// A value whenever there may be news: at once, when the tier tells of a mark, and whenever it comes back in reach.
  /// As such a message may be lost, there is one every second while the tier is in reach.
  func announcements() -> AsyncStream<Void>

  /// Whether the tier can be reached, as far as is known; costs nothing.
  var reach: SharedTierReach { get }

  /// How often the tier has gone out of reach by now, whoever has noticed: a call, or what looks for it while nobody
  /// calls. It never becomes less, and has grown before an answer comes from after an outage; costs nothing.
  ///
  /// A host may have missed marks whenever this has changed.
  var outages: Int { get }

  /// Where the tier is, without secrets; `nil` where nothing tells it from one elsewhere. Costs nothing.
  ///
  /// A host that meets another fleet at the same place delivers to it the marks that it has kept: the tier was set up
  /// anew.
  var address: String? { get }
}

extension SharedTier {
  /// `nil`: nothing tells it from a tier elsewhere.
  public var address: String? { nil }
}

/// Whether a shared tier can be reached.
public enum SharedTierReach: Sendable, Hashable {
  /// Nobody has asked yet.
  case unknown
  /// The last call was answered.
  case reached
  /// Calls fail with this error, at once, until the tier answers again.
  case outOfReach(SharedTierError)
}
