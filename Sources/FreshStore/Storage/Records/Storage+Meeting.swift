internal import Strategies

/// Applies an answer of the shared tier to the file: its marks, and the leases and records that depend on them.
extension Storage {
  /// News, with the leases and records that came with them.
  struct FleetUpdate: Sendable {
    let news: SharedNews
    /// The position for which they were asked.
    let since: SharedPosition?
    /// Where the tier is; `nil` where that is not known.
    var tier: String?
    /// Leases under which the source is asked next: the marks that are known by then do not cover its answer, so
    /// they get new numbers.
    var asking: [Lease] = []
    /// Records of the fleet. They are as new as the news, unless the news are suspect.
    var found: [Found] = []
    /// How long a lease with a new number is valid.
    var holding = Duration.zero

    /// A record of the fleet.
    struct Found: Sendable {
      /// The lease under which it was looked for.
      let lease: Lease
      let write: Write
      /// The edition of the copy at the time of the question.
      let seen: StoredRecord.Edition?
    }

    init(_ news: SharedNews, since: SharedPosition?) {
      // The marks since a place in another fleet's journal are not known, even if the tier says so.
      let isOfAnother = since.map { $0.generation != news.position.generation } ?? false
      self.news = isOfAnother ? .suspect(.new, position: news.position) : news
      self.since = since
    }

    /// True when the host hears of marks, or when it is unknown which marks it has missed.
    var isNews: Bool {
      guard case .marks(let marks, let position, let isMore) = news else { return true }
      return !marks.isEmpty || position != since || isMore
    }

    /// True when nothing depends on a transaction.
    fileprivate var isNothing: Bool {
      guard asking.isEmpty, found.isEmpty, case .marks(let marks, let position, _) = news else {
        return false
      }
      return marks.isEmpty && position == since
    }

    fileprivate var durability: Durability {
      if case .marks(let marks, _, _) = news, marks.isEmpty { .normal } else { .full }
    }

    /// True when a mark for the fleet is kept.
    fileprivate var keepsMark: Bool { news.hasLostHistory }

    /// The records that are named; `nil` when only the file knows.
    fileprivate var touched: AffectedKeys? {
      guard case .marks(let marks, _, _) = news else { return nil }
      var touched = AffectedKeys()
      for entry in found { touched.add(entry.lease.key, of: entry.lease.collection) }
      for mark in marks {
        guard let scope = Scope(mark.scope) else { continue }
        guard case .key(let collection, let key) = scope else { return nil }
        touched.add(key, of: collection)
      }
      return touched
    }
  }

  /// The outcome. A record in none of the parts was put, removed or fetched meanwhile.
  struct FleetUpdateResult: Sendable {
    let applied: AppliedNews
    /// False when there is more to ask for.
    let isUpToDate: Bool
    /// The leases with their new numbers, by key.
    var asking: [String: Lease] = [:]
    /// The stored records of the fleet, by key.
    var landed: [String: StoredRecord] = [:]
    /// The same, where the source has to be asked. A mark that only this host knows, or a change here since the
    /// question, may be newer.
    var doubted: [String: Lease] = [:]
    /// The findings that have to be looked for again: there may be later marks than their answer knew of.
    var outdated: Set<String> = []

    /// True when the file has all marks that were made before the answer. A file that is ahead of the answer may be
    /// so in a journal that was lost since. Only the news since its own place tell.
    var isCurrent: Bool { isUpToDate && applied.fit == .current }

    /// True when the host has heard of marks that its file does not have. A file that is ahead of the news may have
    /// them all.
    var lacksMarks: Bool {
      switch applied.fit {
      case .current: !isUpToDate
      case .apart: true
      case .ahead: false
      }
    }
  }

  /// Applies news, and the leases and records that depend on them, in one transaction.
  func meet(_ meeting: FleetUpdate, now: ClockReading) throws(StoreError) -> FleetUpdateResult {
    guard !meeting.isNothing else {
      return FleetUpdateResult(
        applied: AppliedNews(fit: .current), isUpToDate: !meeting.news.isMore)
    }
    return try database.write(
      .claim, meeting.durability, marksWrites: meeting.keepsMark, touching: meeting.touched
    ) { (connection) throws(SQLiteError) in
      let applied = try self.apply(
        meeting.news, since: meeting.since, of: meeting.tier, now: now, connection)
      var result = FleetUpdateResult(
        applied: applied, isUpToDate: applied.fit != .apart && !meeting.news.isMore)
      for lease in meeting.asking {
        result.asking[lease.key] = try self.renumber(
          lease, for: meeting.holding, now: now, connection)
      }
      // None of the marks that are still missing covers the records that were found.
      guard applied.fit == .current, !meeting.news.isSuspect else {
        result.outdated = Set(meeting.found.map(\.lease.key))
        return result
      }
      for found in meeting.found {
        try self.land(found, meeting, &result, now: now, connection)
      }
      return result
    }
  }

  private func land(
    _ found: FleetUpdate.Found, _ meeting: FleetUpdate, _ result: inout FleetUpdateResult,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (lease, write) = (found.lease, found.write)
    let (collection, key) = (lease.collection, lease.key)
    let current = try record(collection, key, joins: false, connection)
    guard current?.isPending != true else { return }
    if try isInDoubt(found, over: current, connection) {
      result.doubted[key] = try renumber(lease, for: meeting.holding, now: now, connection)
      return
    }
    guard try end(lease, connection) else { return }
    let landing = try land(
      write, over: current, asked: nextNumber(connection), now: now, connection)
    guard case .stored(let record) = landing else { return }
    try log(write.kind == .absent ? .absent : .stored, collection, key, connection)
    result.landed[key] = record
  }

  /// Whether a record of the fleet that is looked for now would be in doubt.
  ///
  /// - Parameter current: The present copy.
  func isInDoubt(_ write: Write, over current: StoredRecord?) throws(StoreError) -> Bool {
    let lease = Lease(
      collection: write.content.collection, key: write.content.key, owner: "", fence: .max)
    let found = FleetUpdate.Found(lease: lease, write: write, seen: current?.edition)
    return try database.read(.read) { (connection) throws(SQLiteError) -> Bool in
      try self.isInDoubt(found, over: current, connection)
    }
  }

  /// Whether it is in doubt which of the two is newer, the fleet's record or the copy here. That is so in these
  /// cases:
  /// - A mark that the fleet has not made covers the present copy, came since the lease, or is still to be
  ///   delivered.
  /// - A list has named the record, and it is to be fetched; or the record has come since the question.
  /// - The record was removed since the question.
  /// - A value in blocks is to be kept, as the fleet has the same, but the copy with these blocks is gone.
  private func isInDoubt(
    _ found: FleetUpdate.Found, over current: StoredRecord?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let (lease, write) = (found.lease, found.write)
    let (collection, key) = (lease.collection, lease.key)
    if let blocks = write.content.blocks, blocks.id != current?.content.blocks?.id { return true }
    var number = lease.fence
    if let current, current.isIntact {
      if current.kind == .unfetched {
        if try isOnList(key, of: collection, connection) { return true }
      } else {
        if current.edition != found.seen { return true }
        if let mark = current.mark, mark.epoch > 0, !Self.isOfFleet(mark.epoch) { return true }
        number = min(number, current.epoch)
      }
    } else if current == nil, found.seen != nil {
      return true
    }
    var tags = Array(write.tags ?? [])
    if let current, current.isTagged { tags += try Self.tags(of: current.row, connection) }
    let covering = try mark(
      over: collection, key, tags: tags, standing: nil, since: number, madeHere: true, connection)
    if covering != nil { return true }
    return try isMarkKept(over: collection, key, tags: tags, connection)
  }
}
