/// A fetch of the model, for one key.
struct ModelFlight: Hashable {
  /// A task that waits for it.
  struct Caller: Hashable {
    let step: Int
    let how: How
    /// True when it had a copy, which may replace a fetch that fails or is put off, in its state by then.
    var hasCopy: Bool
    /// The number of the store's sequence when it came: a mark up to that is older.
    var asked = 0
    /// True when others have opened the flight.
    var isJoined = false
    /// True when a source of the flight was asked before it joined.
    var isLate = false
  }

  /// The reason why it brings nothing.
  enum Failure: Hashable {
    case failed
    /// Put off, as an attempt failed a moment ago.
    case paused
    /// Put off, as requests to the origin back off.
    case down
    /// Put off, as the origin is held.
    case held
    /// Not begun, as the source is provably out of reach.
    case offline
  }

  let id: Int
  /// Flights that were opened together have one, and continue until no task waits for any of them.
  let party: Int
  let store: Int
  let key: String
  let how: How
  let isBySync: Bool
  /// True when it continues although no task waits.
  var isWanted: Bool
  var callers: [Caller] = []
  /// The known failures when it was opened.
  var failed: ModelRecord.Failures?
  /// The edition of a copy that is to be fetched again although it may be served.
  var forced: ModelRecord.Edition?
  /// The number of the store's sequence when it was opened: after a wipe it asks nobody.
  var opened = 0
  /// The number of its lease; 0 before that.
  var fence = 0
  /// True when it has its lease, and may still be put off.
  var isClaimed = false
  /// The number of its own lease; 0 before that.
  var lease = 0
  /// Flights that were requested together have one; 0 before that.
  var attempt = 0
  /// True while the source is asked; false while another has the lease.
  var isAsking = false
  /// True once a source was asked for it, or for one of its party.
  var hasAsked = false
  var copy: Int?
  /// True when the copy may replace a fetch that is put off.
  var mayWait = false
  /// When the source was asked, in milliseconds since the machine was started.
  var began: Int64 = 0
  /// The deadline of the answer, on the process's own alarms.
  var deadline: Int64 = 0
  /// The end of the wait for other holders of the lease, in milliseconds since the machine was started.
  var waitsUntil = Int64.max
  /// When the lease is renewed, on the process's own alarms.
  var nextRenewal: Int64 = 0

  /// The result.
  enum Outcome: Hashable {
    case stored(Int), revalidated(Int), unstored(Int), absent, failed(Failure)
    /// The store was wiped before it had its lease.
    case wiped
    /// The result of others meanwhile, a value or an absence, which may have become stale since, and is
    /// served as there is no network.
    case found(Int?, Found)
  }

  /// A stored record that a flight has found.
  struct Found: Hashable {
    let edition: ModelRecord.Edition?
    var isFresh = true
    var isLocal = false
  }

  /// Its result, and the newest mark that covers it: a caller that came after that mark looks again.
  struct Landing: Hashable {
    let outcome: Outcome
    var coveredBy = 0
    /// The number of its request; `nil` where no source was asked.
    var request: Int?
  }
}
