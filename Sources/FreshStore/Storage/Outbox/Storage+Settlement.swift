internal import Strategies

extension Storage {
  /// The outcome of an attempt to push an entry.
  enum Settlement: Sendable {
    /// The source has it.
    case accepted(SourceState)
    /// The source's version wins: the entries that the resolution was shown (`mergeable`) are discarded.
    case remote(SourceState)
    /// Another write, based on the source's current state, replaces the entries that it merges
    /// (`mergeable`); the same owner holds it for that long, unless it goes to another address.
    case rewritten(StoredWrite, upon: SourceState, expiry: Expiry, holding: Duration)
    /// The source holds the base of the write, and has named its version: the same owner sends it once more.
    case versioned(SourceState, resolves: Bool)
    /// With the answer of a source that has refused it, or with what the write has met there.
    case parked(String, Refusal? = nil, met: Met? = nil)
    /// It is sent again, with a pause, given the number of attempts; or it is parked, where there is a reason
    /// to end them, given the entry and the time. It is a suspect where the failure of the request may be its
    /// own.
    case deferred(
      String, pause: (@Sendable (Int) -> FailurePause)?,
      end: (@Sendable (StoredWrite, Timestamp) -> String?)? = nil, suspects: Bool = false)
    /// Nothing was sent, as nobody is signed in: the origin is held.
    case held(String)
    /// It was given up, or its network has been replaced: it is sent again at once.
    case givenUp(String)
    /// This program cannot read it, or a write that comes after it, for this reason: whoever can read it
    /// may send it at once.
    case unread(String)
    /// It met another change again and needs a new resolution, with a pause, given the number of conflicts in
    /// a row; or it is parked with what it has met, where there is a reason to end them.
    case contested(
      String, pause: @Sendable (Int) -> Duration, end: @Sendable (StoredWrite) -> String?, met: Met)

    /// False when the source did not accept the write.
    var mayHaveArrived: Bool {
      switch self {
      case .accepted, .deferred, .givenUp: true
      case .remote, .rewritten, .versioned, .parked, .held, .unread, .contested: false
      }
    }

    /// True when the attempt stays counted: it has failed, or its source has answered. One that is put
    /// off before it has begun is not counted yet.
    func isCounted(wasSent: Bool) -> Bool {
      switch self {
      case .deferred: true
      case .versioned, .held, .givenUp, .unread: false
      case .accepted, .remote, .rewritten, .parked, .contested: wasSent
      }
    }
  }

  /// Another change at the source, about which nobody has decided yet.
  struct Met: Sendable {
    /// What the source holds.
    let state: SourceState
    /// What the write was made from.
    let basis: WriteBasis
  }

  /// The outcome of a settlement.
  enum Settled: Sendable {
    /// It took effect; the entry as it was or now is, the discarded entries, and whether the source's state is
    /// beneath entries that are left.
    case done(StoredWrite, fallen: [StoredWrite], isBeneath: Bool = false)
    /// The claim was gone; the outbox is unchanged, and the stored state is stale if nothing else
    /// represents the write any more.
    case superseded
    /// The writes of the key have changed since the resolution was requested; the entry waits again.
    case outdated(StoredWrite)
  }

  /// The basis of a resolution: it is valid only as long as nothing was written, corrected or dropped.
  struct Shown: Sendable {
    /// The idempotency keys of the entries of the key, in push order: an entry that a later write replaces, or
    /// that is corrected, keeps its number.
    let writes: [String]
    /// The pause before a new resolution, given the number of conflicts in a row.
    let pause: @Sendable (Int) -> Duration
  }

  /// The outcome of the attempt for the origin.
  struct OriginNote: Sendable {
    let origin: OriginGuard
    let verdict: OriginVerdict
    /// The verdict for the other hosts of a fleet.
    let verdictForFleet: OriginVerdict
  }
}
