internal import Strategies

extension Storage {
  /// The outcome of an attempt to push an entry.
  enum Settlement: Sendable {
    /// The source has it.
    case accepted(SourceState)
    /// The source's version wins: the entries that the resolution was shown (`mergeable`) are discarded.
    case remote(SourceState)
    /// Another write, based on the source's current state, replaces the entries that it merges (`mergeable`). The
    /// same owner holds it for that long, unless it goes to another address.
    case rewritten(StoredWrite, upon: SourceState, expiry: Expiry, holding: Duration)
    /// The source holds the base of the write, and has named its version: the same owner sends it once more.
    case versioned(SourceState, resolves: Bool)
    /// The entry is parked with the answer of a source that has refused it, or with the conflicting state.
    case parked(String, Refusal? = nil, met: Met? = nil)
    /// The entry is sent again, with a pause, given the number of attempts. Where there is a reason to end the
    /// attempts, given the entry and the time, it is parked. It is a suspect where the failure of the request may
    /// be its own.
    case deferred(
      String, pause: (@Sendable (Int) -> FailurePause)?,
      end: (@Sendable (StoredWrite, Timestamp) -> String?)? = nil, suspects: Bool = false)
    /// Nothing was sent because no user is signed in: the origin is held.
    case held(String)
    /// It was given up, or its network has been replaced: it is sent again at once.
    case givenUp(String)
    /// This program cannot read it, or a write that comes after it, for this reason. Another program that can read
    /// it may send it at once.
    case unread(String)
    /// It met another change again and needs a new resolution, with a pause, given the number of conflicts in a
    /// row. Where there is a reason to end the resolutions, it is parked with that change.
    case contested(
      String, pause: @Sendable (Int) -> Duration, end: @Sendable (StoredWrite) -> String?, met: Met)

    /// False when the source did not accept the write.
    var mayHaveArrived: Bool {
      switch self {
      case .accepted, .deferred, .givenUp: true
      case .remote, .rewritten, .versioned, .parked, .held, .unread, .contested: false
      }
    }

    /// True when the attempt stays counted: it has failed, or its source has answered. An attempt that is put off
    /// before it has begun is not counted yet.
    func isCounted(wasSent: Bool) -> Bool {
      switch self {
      case .deferred: true
      case .versioned, .held, .givenUp, .unread: false
      case .accepted, .remote, .rewritten, .parked, .contested: wasSent
      }
    }
  }

  /// Another change at the source, not decided yet.
  struct Met: Sendable {
    /// The state of the source.
    let state: SourceState
    /// The state that the write was made from.
    let basis: WriteBasis
  }

  /// The outcome of a settlement.
  enum Settled: Sendable {
    /// It took effect. The values are the entry as it was or now is, the discarded entries, and whether the
    /// source's state is beneath entries that are left.
    case done(StoredWrite, fallen: [StoredWrite], isBeneath: Bool = false)
    /// The claim was gone. The outbox is unchanged, and the stored state is stale if nothing else represents the
    /// write any more.
    case superseded
    /// The writes of the key have changed since the resolution was requested; the entry waits again.
    case outdated(StoredWrite)
  }

  /// The basis of a resolution: it is valid only as long as nothing was written, corrected or dropped.
  struct Shown: Sendable {
    /// The idempotency keys of the entries of the key, in push order. The number of an entry is not enough: it
    /// stays when a later write replaces the entry, or a user corrects it.
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

  // MARK: The state of a source

  /// The known state of a key at its source.
  struct SourceState: Sendable {
    /// The value, or its absence; `unfetched` when none of it may be kept. Without a last update it
    /// is as old as ``known``.
    var write: Write
    /// The time from which the source is known to hold it.
    let known: ClockReading
    /// True when the answer covers only a part of it: nothing new is known about the rest.
    var isPartial = false
    /// True when the source has changed the written value: a write that was made from that is not based on this.
    var isChanged = false
    /// False when it must not be remembered.
    var isKept = true
    /// The reason why the stored state is stale already; `nil` when it is not.
    var staleReason: String?
    /// The basis of the writes that still wait, when nothing else of it may be kept.
    var condition: Condition?
    /// The number of the request that it answers, where that is not the push itself.
    var asked: Int64?

    /// The kind of change to the record.
    var change: Change.Kind {
      switch write.kind {
      case .value: .stored
      case .absent: .absent
      case .unfetched: .removed
      }
    }

    /// The version that a source holds, without its content.
    struct Condition: Sendable {
      let validators: Validators
      /// Data of the fetcher that belongs to the validators.
      let metadata: String?
      /// True when that version is the written value.
      let isOfWritten: Bool

      /// `nil` when the source did not name it.
      init?(_ details: FetchDetails, isOfWritten: Bool) {
        guard !details.validators.isEmpty else { return nil }
        validators = details.validators
        metadata = details.metadata
        self.isOfWritten = isOfWritten
      }
    }

    /// The part of it to keep while writes wait upon it.
    func ground(at now: ClockReading) -> Write {
      var write = write(at: now)
      guard let condition else { return write }
      if !condition.isOfWritten {
        write.kind = .unfetched
        write.content.value = nil
      }
      write.content.validators = condition.validators
      write.content.metadata = condition.metadata
      return write
    }

    /// After a partial write, the rest is as old as the base, and expires no later.
    mutating func age(asOf base: StoredRecord?, at now: ClockReading) {
      guard let base, base.isIntact, base.kind == .value, base.mark == nil,
        let lastUpdate = base.lastUpdate(at: now)
      else {
        staleReason = staleReason ?? "the source was told of a part of it alone"
        return
      }
      write.content.hold(noLongerThan: base.content)
      if let own = write.content.lastUpdate, own <= lastUpdate { return }
      (write.content.lastUpdate, write.statedAt) = (lastUpdate, now)
    }

    /// The write to store at a moment, corrected for steps of the wall clock since ``known``.
    func write(at now: ClockReading) -> Write {
      var write = write
      write.content.lastUpdate = write.content.lastUpdate ?? known.wall(at: now)
      return write
    }
  }
}

extension RecordContent {
  /// Takes the shorter expiry and the earlier end.
  fileprivate mutating func hold(noLongerThan other: RecordContent) {
    expiry = expiry.shorter(other.expiry)
    mustRevalidate = mustRevalidate || other.mustRevalidate
    hardEnd = other.hardEnd.map { min(hardEnd ?? $0, $0) } ?? hardEnd
  }
}

extension Expiry {
  /// The shorter of two; an unstated one is unknown.
  fileprivate func shorter(_ other: Expiry) -> Expiry {
    switch (stored, other.stored) {
    case (nil, _), (_, nil): .unstated
    case (-1, _): other
    case (_, -1): self
    case (let own?, let its?): own <= its ? self : other
    }
  }
}
