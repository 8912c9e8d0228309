/// A fetch of the model, for one key.
struct ModelFlight: Hashable {
  /// Somebody who waits for it.
  struct Caller: Hashable {
    let step: Int
    let how: How
    /// True when it had a copy, which may stand in as it is by then when the fetch fails, or is put off.
    var hasCopy: Bool
    /// The number of the store's sequence when it came: a mark up to that is older.
    var asked = 0
    /// True when others have opened the flight.
    var isJoined = false
  }

  /// Why it brings nothing.
  enum Failure: Hashable {
    case failed
    /// Put off, as an attempt failed a moment ago.
    case paused
    /// Put off, as the origin is left alone.
    case down
    /// Not begun, as the source is provably out of reach.
    case offline
  }

  let id: Int
  /// Those that were opened together have one, and go on until nobody waits for any of them.
  let party: Int
  let store: Int
  let key: String
  let how: How
  let isBySync: Bool
  /// True when it goes on although nobody waits.
  var isWanted: Bool
  var callers: [Caller] = []
  /// What was known of failures when it was opened.
  var failed: ModelRecord.Failures?
  /// The edition of a copy that is to be fetched again although it may be served.
  var forced: ModelRecord.Edition?
  /// The number of its lease; 0 before that.
  var fence = 0
  /// True when it has its lease, and may still be put off.
  var isClaimed = false
  /// The number of its own lease; 0 before that.
  var lease = 0
  /// Those that were asked for together have one; 0 before that.
  var attempt = 0
  /// True while the source is asked; false while another has the lease.
  var isAsking = false
  var copy: Int?
  /// True when the copy may stand in for a fetch that is put off.
  var mayWait = false
  /// When the source was asked, in milliseconds since the machine was started.
  var began: Int64 = 0
  /// When the answer comes too late, on the process's own alarms.
  var deadline: Int64 = 0
  /// Until when others that hold the lease are waited for, in milliseconds since the machine was started.
  var waitsUntil = Int64.max
  /// When the lease is renewed, on the process's own alarms.
  var nextRenewal: Int64 = 0

  /// What became of it.
  enum Outcome: Hashable {
    case stored(Int), revalidated(Int), unstored(Int), absent, failed(Failure)
    /// What others brought meanwhile, which may have grown stale since, and be served as there is no
    /// network.
    case found(Int, isFresh: Bool)
  }

  /// What it has brought, and the newest mark that covers it: whoever came after that looks again.
  struct Landing: Hashable {
    let outcome: Outcome
    var coveredBy = 0
  }
}
