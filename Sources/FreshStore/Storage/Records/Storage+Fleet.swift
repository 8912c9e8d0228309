internal import Strategies

/// The host's place in the order of its fleet's marks.
extension Storage {
  /// The position of the newest mark that is applied, and the time of the last answer from the shared tier.
  struct FleetState: Sendable {
    let position: SharedPosition
    /// The last answer, or the last time at which everything became suspect without one.
    let lastContact: Timestamp
    /// The same moment, as boot and time since then.
    let lastContactSinceBoot: (boot: Int64, sinceBoot: Int64)

    /// The time since the last contact, within one boot by its clock: the wall clock may be set. `nil` where it is not
    /// known, as the wall clock was set back before this boot.
    func silence(at now: ClockReading) -> Duration? {
      if lastContactSinceBoot.boot == now.boot, now.boot != 0 {
        return .milliseconds(max(0, now.sinceBoot - lastContactSinceBoot.sinceBoot))
      }
      let silence = now.wall.duration(since: lastContact)
      return silence < .zero ? nil : silence
    }
  }

  /// How news fit to the position that the file has by now: several processes of a host apply them.
  enum NewsFit: Sendable {
    /// The file has the position of the news.
    case current
    /// Another process has applied later ones.
    case ahead
    /// The marks between the file's position and the news are not known: the host has to ask again.
    case apart
  }

  /// The outcome of news.
  struct AppliedNews: Sendable {
    let fit: NewsFit
    /// The scopes that were marked. A key may be neither stored nor being fetched here.
    var marked: [(scope: Scope, isHere: Bool)] = []
    /// The marks that were kept for a fleet elsewhere, and are not delivered to this one.
    var setAside: [MarkForFleet] = []
  }

  /// `nil` before the first news.
  func fleetState() throws(StoreError) -> FleetState? {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try Self.fleetState(connection)
    }
  }

  fileprivate static func fleetState(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> FleetState? {
    try connection.first(.readFleetState) { statement in
      FleetState(
        position: SharedPosition(
          number: statement.int(0), token: statement.int(1), generation: statement.int(2)),
        lastContact: statement.moment(3),
        lastContactSinceBoot: (statement.int(4), statement.int(5)))
    }
  }

  /// The same, for others to read.
  func fleetPlace() throws(StoreError) -> FleetPlace? {
    try database.read(.read) { (connection) throws(SQLiteError) in try connection.fleetPlace() }
  }

  /// Notes that the shared tier has answered.
  func noteContact(now: ClockReading) throws(StoreError) {
    try database.write(.observe, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try connection.run(
        .noteContact, self.moment(from: now).millisecondsSinceEpoch, now.boot, now.sinceBoot)
    }
  }

  /// Applies the news that are not applied yet, in their order, and notes their position. Each is applied exactly
  /// once, no matter which process of the host gets it first.
  ///
  /// - Parameters:
  ///   - since: The position for which they were asked.
  ///   - tier: Where they come from; `nil` where that is not known.
  func apply(
    _ news: SharedNews, since: SharedPosition?, of tier: String?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> AppliedNews {
    let state = try Self.fleetState(connection)
    let known = state?.position
    if let known, known == news.position { return AppliedNews(fit: .current) }
    var marked: [(scope: Scope, isHere: Bool)] = []
    var setAside: [MarkForFleet] = []
    switch news {
    case .suspect(let cause, _):
      guard known == since else { return AppliedNews(fit: .apart) }
      if let known, known.generation != news.position.generation {
        setAside = try Self.setAsideForAnotherFleet(at: tier, connection)
      }
      let reason = "the fleet's marks are not known: \(cause.words)"
      _ = try mark(.all, markOfFleet(reason, now: now, connection), connection)
      marked = [(.all, true)]
      // The records of the fleet are the ones of its journal, and suspect for all of its hosts.
      if news.hasLostHistory, let known {
        try Self.keepForFleet(
          MarkForFleet(scope: .all, reason: "its journal's history was lost", lost: known.number),
          connection)
      }
    case .marks(let marks, let position, _):
      guard let known else { return AppliedNews(fit: .apart) }
      var missing = marks[...]
      if known != since {
        guard let place = marks.firstIndex(where: { $0.position == known }) else {
          let isAhead =
            known.generation == position.generation && known.number > position.number
          return AppliedNews(fit: isAhead ? .ahead : .apart)
        }
        missing = marks[(place + 1)...]
      }
      for mark in missing {
        // A name that is no text is no name of a store.
        guard let scope = Scope(mark.scope) else { continue }
        let isHere = try self.mark(
          scope, markOfFleet(mark.reason, now: now, connection), connection)
        marked.append((scope, isHere))
      }
    }
    try connection.run(
      .noteFleetState, news.position.number, news.position.token, news.position.generation,
      moment(from: now).millisecondsSinceEpoch, now.boot, now.sinceBoot)
    return AppliedNews(fit: .current, marked: marked, setAside: setAside)
  }

  /// Marks records whose owner's lease had ended before the fleet got them: another host may have fetched them
  /// since. A record that was replaced meanwhile stays as it is.
  func markLate(_ records: [StoredRecord], now: ClockReading) throws(StoreError) {
    try database.write(.markStale) { (connection) throws(SQLiteError) in
      for late in records {
        let (collection, key) = (late.content.collection, late.content.key)
        guard let current = try self.record(collection, key, joins: false, connection),
          current.edition == late.edition
        else { continue }
        let mark = try self.markOfFleet(
          "another host may have fetched it since", now: now, connection)
        if try self.markRow(collection, key, mark, connection) {
          try self.log(.marked, collection, key, connection)
        }
      }
    }
  }

  /// Takes everything that was fetched until now as stale. It does nothing and returns false where another process
  /// of the host has had an answer, or has done the same, within the limit.
  func suspectAll(
    _ reason: String, after limit: Duration, now: ClockReading
  ) throws(StoreError) -> Bool {
    try database.write(.markStale, .full) { (connection) throws(SQLiteError) -> Bool in
      let present = self.present(now)
      if let silence = try Self.fleetState(connection)?.silence(at: present), silence < limit {
        return false
      }
      _ = try self.mark(.all, self.markOfFleet(reason, now: now, connection), connection)
      try connection.run(
        .noteContact, present.wall.millisecondsSinceEpoch, present.boot, present.sinceBoot)
      return true
    }
  }

  /// Marks records here that the fleet has marked already, although earlier marks are still to be applied. Records
  /// from before a wipe are not marked.
  ///
  /// - Parameter begun: The number of the request (``isWanted(begunAt:_:)``).
  func markAhead(
    _ scopes: [Scope], reason: String, begun: Int64?, now: ClockReading
  ) throws(StoreError) -> [Bool] {
    try database.write(.markStale, .full, touching: Scope.touched(by: scopes)) {
      (connection) throws(SQLiteError) -> [Bool] in
      guard try self.isWanted(begunAt: begun, connection) else { return scopes.map { _ in false } }
      return try self.mark(scopes, self.markOfFleet(reason, now: now, connection), connection)
    }
  }

  /// The tags of a record that is to be handed on to the fleet; `nil` in these cases:
  /// - It is not the present record of its key any more, and its tags have gone with it.
  /// - A mark that only this host knows covers it by now. It would be fresh for all other hosts.
  func tagsToShare(of record: StoredRecord) throws(StoreError) -> [String]? {
    let (collection, key) = (record.content.collection, record.content.key)
    return try database.read(.complete) { (connection) throws(SQLiteError) -> [String]? in
      try connection.snapshot { (connection) throws(SQLiteError) -> [String]? in
        guard let current = try self.record(collection, key, joins: false, connection),
          current.edition == record.edition, !current.isMarkedHere, !current.isPending
        else { return nil }
        return current.isTagged ? try Self.tags(of: current.row, connection) : []
      }
    }
  }

  private func markOfFleet(
    _ reason: String, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord.Mark {
    StoredRecord.Mark(
      at: moment(from: now), reason: reason, epoch: try nextNumberOfFleet(connection))
  }
}

extension Connection {
  /// The host's place in the order of its fleet's marks; `nil` before the first news.
  package func fleetPlace() throws(SQLiteError) -> FleetPlace? {
    try Storage.fleetState(self).map { state in
      FleetPlace(position: state.position, lastWord: state.lastContact)
    }
  }
}

extension Storage.Scope {
  /// The same in the names of a store; `nil` where a name is not a text.
  init?(_ scope: SharedMark.Scope) {
    func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }
    switch scope {
    case .key(let shared):
      guard let collection = text(shared.collection), let key = text(shared.key) else {
        return nil
      }
      self = .key(collection, key)
    case .tag(let bytes):
      guard let tag = text(bytes) else { return nil }
      self = .tag(tag)
    case .prefix(let bytes, let name):
      guard let collection = text(name), let prefix = text(bytes) else { return nil }
      self = .prefix(collection, prefix)
    case .collection(let name):
      guard let collection = text(name) else { return nil }
      self = .collection(collection)
    case .all: self = .all
    }
  }
}

extension SharedMark.Scope {
  /// The same in bytes.
  init(_ scope: Storage.Scope) {
    switch scope {
    case .key(let collection, let key): self = .key(SharedKey(collection, key))
    case .tag(let tag): self = .tag(Array(tag.utf8))
    case .prefix(let collection, let prefix):
      self = .prefix(Array(prefix.utf8), in: Array(collection.utf8))
    case .collection(let collection): self = .collection(Array(collection.utf8))
    case .all: self = .all
    }
  }
}

extension SQL {
  fileprivate static let readFleetState = SQL(
    """
    SELECT number, token, generation, last_contact, boot, since_boot FROM fleet_state WHERE id = 1
    """)
  fileprivate static let noteFleetState = SQL(
    "INSERT OR REPLACE INTO fleet_state VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)")
  fileprivate static let noteContact = SQL(
    "UPDATE fleet_state SET (last_contact, boot, since_boot) = (?1, ?2, ?3) WHERE id = 1")
}
