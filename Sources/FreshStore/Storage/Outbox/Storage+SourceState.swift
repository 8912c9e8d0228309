internal import Strategies

extension Storage {
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
