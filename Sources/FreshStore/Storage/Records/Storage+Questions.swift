internal import Strategies

extension Storage {
  /// A request other than a fetch: a value is being sent to its source, or a rule is asked about one. While it is
  /// open, no mark is forgotten that may cover its answer.
  struct Question: Sendable {
    let name: String
    let number: Int64

    /// A request that could not be opened. All marks since it began apply to it, and nothing is stored where a wipe
    /// may have come. Without a number it is from before any wipe.
    static func unopened(begun: Int64?) -> Question {
      Question(name: "", number: begun ?? -1)
    }
  }

  /// The outcome of the answer to a request.
  struct LandedAnswer: Sendable {
    /// The key of a record with a local write, because of which nothing is stored.
    let pending: String?
  }

  /// Opens a request.
  ///
  /// - Parameter begun: The number of the store's sequence as it began (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped` for one from before a wipe.
  func ask(begun: Int64? = nil, now: ClockReading) throws(StoreError) -> Question {
    try write(.put, touching: AffectedKeys(), begunAt: begun) { (connection) throws(SQLiteError) in
      try self.openQuestion(now: now, connection)
    }
  }

  private func openQuestion(
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Question {
    let number = try nextNumber(connection)
    let name = "\(owner) \(number)"
    try hold(name, now: now, connection)
    return Question(name: name, number: number)
  }

  /// Marks a key stale, durable when it returns, and opens a request behind the mark, for an answer that is here
  /// already. It opens none where the sequence has moved since `number`. `isHere` is false for a key that is
  /// neither stored nor being fetched.
  func ask(
    marking key: String, of collection: String, reason: String, ifStillAt number: Int64,
    now: ClockReading
  ) throws(StoreError) -> (isHere: Bool, question: Question?) {
    try database.write(.markStale, .full, touching: AffectedKeys(collection, [key])) {
      (connection) throws(SQLiteError) -> (isHere: Bool, question: Question?) in
      let isStill = try self.currentNumber(connection) == number
      let mark = StoredRecord.Mark(
        at: self.present(now).wall, reason: reason, epoch: try self.nextNumber(connection))
      let isHere = try self.mark(.key(collection, key), mark, connection)
      let question: Question? =
        if isStill { try self.openQuestion(now: now, connection) } else { nil }
      return (isHere, question)
    }
  }

  /// Keeps a request open that has no lease of a record. An import's request is older than any mark, as its records
  /// may be: no invalidation is forgotten that its later turns need. The time is long enough for a slow import, and
  /// short enough that a killed one delays nothing for good.
  package func hold(
    _ question: String, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(
      .holdQuestion, Self.noCollection, question, claimant, now.boot,
      now.deadline(after: .seconds(600)))
  }

  /// No collection has an empty name: a lease of it belongs to no record.
  package static let noCollection = ""

  /// Ends a request without an answer.
  func withdraw(_ question: Question) throws(StoreError) {
    try database.write(.put, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try self.dropLease(Self.noCollection, question.name, connection)
    }
  }

  /// Stores the answer to a request, in one transaction, ahead of any running fetch for these keys. It is unknown
  /// which of the two was first.
  ///
  /// An answer is stale in these cases:
  /// - A mark is newer than the request.
  /// - The answer replaces other bytes that arrived meanwhile.
  /// - The request was open for so long that a mark may have been forgotten.
  ///
  /// Nothing is stored when one of the records has a local write. After a wipe since the request nothing is stored,
  /// and this returns `nil`.
  func land(
    _ writes: [Write], answering question: Question, _ durability: Durability,
    now: ClockReading
  ) throws(StoreError) -> LandedAnswer? {
    try database.write(.put, durability) { (connection) throws(SQLiteError) -> LandedAnswer? in
      guard try self.isWanted(begunAt: question.number, connection) else { return nil }
      let isOpen = try self.isLeased(Self.noCollection, question.name, connection)
      try self.dropLease(Self.noCollection, question.name, connection)
      for write in writes {
        let old = try self.identity(write.content.collection, write.content.key, connection)
        if old?.isPending == true { return LandedAnswer(pending: write.content.key) }
      }
      let number = try self.nextNumber(connection)
      for write in writes {
        try self.land(
          write, answering: isOpen ? question : nil, under: number, now: now, connection)
      }
      return LandedAnswer(pending: nil)
    }
  }

  /// Ends the request of a push that the source has accepted. It marks a value that has come in since under its
  /// key, and lets running fetches of it store nothing.
  ///
  /// - Parameters:
  ///   - isStored: False where the store has not got the new value: then the record that is there is older.
  ///   - removes: True after a deletion: a record without such a value is removed.
  func doubt(
    _ collection: String, _ key: String, since question: Question, isStored: Bool,
    removes: Bool = false, now: ClockReading
  ) throws(StoreError) {
    try database.write(.complete, .full) { (connection) throws(SQLiteError) in
      let isOpen = try self.isLeased(Self.noCollection, question.name, connection)
      try self.dropLease(Self.noCollection, question.name, connection)
      try self.dropLease(collection, key, connection)
      guard let current = try self.record(collection, key, joins: false, connection),
        !isStored || !isOpen || current.epoch > question.number
      else {
        if removes { try self.removeRow(collection, key, now: now, connection) }
        return
      }
      let mark = StoredRecord.Mark(
        at: self.moment(from: now),
        reason: isStored
          ? "another value came in while it was written" : "the source has accepted another value",
        epoch: try self.nextNumber(connection))
      guard try self.markRow(collection, key, mark, connection) else { return }
      try self.doubtMember(key, of: collection, upTo: mark.epoch, connection)
      try self.log(.marked, collection, key, connection)
    }
  }

  /// Stores one record of an answer. Without a request, it is unknown which marks were set since.
  func land(
    _ write: Write, answering question: Question?, under number: Int64, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (collection, key) = (write.content.collection, write.content.key)
    let current = try record(collection, key, joins: false, connection)
    var tags = Array(write.tags ?? [])
    if let current, current.isTagged { tags += try Self.tags(of: current.row, connection) }
    var mark = try mark(
      over: collection, key, tags: tags, standing: current?.mark, since: question?.number ?? 0,
      connection)
    if mark == nil {
      let reason: String? =
        if let question {
          isReplaced(current, by: write, since: question)
            ? "another value came in while it was written" : nil
        } else {
          "what was marked while it was written is not known"
        }
      mark = reason.map { .init(at: moment(from: now), reason: $0, epoch: number) }
    }
    try dropLease(collection, key, connection)
    _ = try store(write, epoch: number, mark: mark, now: now, connection)
    try log(.stored, collection, key, connection)
    if mark != nil {
      try doubtMember(key, of: collection, upTo: number, connection)
      try log(.marked, collection, key, connection)
    }
  }

  /// True when the stored bytes arrived meanwhile and differ from the new ones.
  private func isReplaced(
    _ current: StoredRecord?, by write: Write, since question: Question
  ) -> Bool {
    guard let current, current.epoch > question.number, current.isIntact,
      current.kind != .unfetched
    else { return false }
    return current.contentChecksum != StoredRecord.checksum(of: write.content.value)
  }
}

/// The state of the records that a request is about while its answer is in flight.
extension Storage {
  /// True as long as the answer to an open request would be stored as a fresh one, as far as can be told
  /// beforehand. No mark that covers it was set since, and no put, removal or wipe has overtaken it.
  ///
  /// Cost: one look-up for the request, and two for each key. One of these is in a table that is empty except for
  /// marks set during requests; the other one finds the record, without its value.
  ///
  /// - Parameters:
  ///   - keys: The keys that the answer may be stored under, and the key of all its variants.
  ///   - tags: `nil` while they are not known: a mark of any counts.
  func isUpToDate(
    _ request: OpenRequest, of collection: String, about keys: [String], tags: Set<String>?
  ) throws(StoreError) -> Bool {
    try database.read(.read) { (connection) throws(SQLiteError) in
      if tags == nil,
        try connection.hasRow(.youngerOfScope, Scope.tagNumber, request.number)
      {
        return false
      }
      for key in keys {
        let mark = try self.mark(
          over: collection, key, tags: tags ?? [], standing: nil, since: request.number, connection)
        guard mark == nil else { return false }
        // As when an answer lands, a record with a later number stays.
        if let record = try connection.judgedRecord(of: key, in: collection), record.isIntact,
          record.kind != .unfetched, record.epoch > request.number
        {
          return false
        }
      }
      // This comes last: as long as the request is open, no newer mark is forgotten.
      return try self.isOpen(request, connection)
    }
  }

  private func isOpen(
    _ request: OpenRequest, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try isCurrent(request.number, connection) else { return false }
    switch request {
    case .leased(let lease):
      return try connection.hasRow(
        .leaseOfRequest, lease.collection, lease.key, lease.owner, lease.fence)
    case .question(let question):
      return try isLeased(Self.noCollection, question.name, connection)
    }
  }
}

extension SQL {
  fileprivate static let holdQuestion = SQL(
    """
    INSERT OR REPLACE INTO lease (collection, key, owner, fence, boot, deadline)
    VALUES (?1, ?2, ?3, 0, ?4, ?5)
    """)
  fileprivate static let youngerOfScope = SQL(
    "SELECT 1 FROM invalidation WHERE scope = ?1 AND epoch > ?2")
  fileprivate static let leaseOfRequest = SQL(
    "SELECT 1 FROM lease WHERE collection = ?1 AND key = ?2 AND owner = ?3 AND fence = ?4")
}
