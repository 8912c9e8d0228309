internal import Strategies

extension Storage {
  /// The stored state of a list.
  struct ListState: Sendable {
    var row: Int64 = 0
    var cursor: String?
    /// When the source was asked for the state at the cursor; `nil` when the whole list is to be asked
    /// for.
    var lastUpdate: Timestamp?
    var dueAt: Timestamp?
    var failures: Int64 = 0
    var failure: String?
    /// The version of the program's content under which it was followed.
    var contentVersion: Int64 = 0
    /// The number of the request for the state at the cursor.
    var asked: Int64 = 0
    /// The number drawn when its answer was stored.
    var answered: Int64 = 0
    var walk: ListWalk?
    var count = 0

    /// The basis of an answer to the cursor; `nil` when the whole list is to be asked for.
    var basis: ListBasis? {
      lastUpdate.map { ListBasis(asked: asked, answered: answered, lastUpdate: $0) }
    }
  }

  /// The state of a list at the cursor that is sent.
  struct ListBasis: Sendable {
    let asked: Int64
    let answered: Int64
    private(set) var lastUpdate: Timestamp

    /// The same after steps of the clock during the request, with which the stored state has moved.
    func moved(with state: ListState?) -> ListBasis {
      var basis = self
      if let state, state.asked == asked, let moment = state.lastUpdate {
        basis.lastUpdate = moment
      }
      return basis
    }
  }

  /// A walk through the pages of a list, or of its changes, after its first page.
  struct ListWalk: Sendable {
    /// The number of the first page's request.
    let number: Int64
    let isWhole: Bool
    /// The token of the next page.
    let page: String
    /// The cursor that came with the first page; `nil` when the last one's is taken.
    let cursor: String?
    /// When the first page was asked for; `nil` if a member was removed here since.
    let began: Timestamp?

    init(number: Int64, isWhole: Bool, page: String, cursor: String?, began: Timestamp?) {
      (self.number, self.isWhole, self.page) = (number, isWhole, page)
      (self.cursor, self.began) = (cursor, began)
    }

    /// The walk of a row; `nil` when none is running.
    fileprivate init?(stored: Int64, page: String?, cursor: String?, began: Timestamp?) {
      guard let page, stored != 0, stored != .min else { return nil }
      self.init(
        number: abs(stored), isWhole: stored > 0, page: page, cursor: cursor, began: began)
    }

    fileprivate var stored: Int64 { isWhole ? number : -number }
  }

  func listState(_ list: String, in collection: String) throws(StoreError) -> ListState? {
    try database.read(.follow) { (connection) throws(SQLiteError) in
      try self.listState(list, in: collection, connection)
    }
  }

  func listState(
    _ list: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> ListState? {
    try connection.withStatement(.readList, collection, list) { (statement) throws(SQLiteError) in
      guard try statement.step() else { return nil }
      var state = ListState(row: statement.int(0))
      state.dueAt = statement.optionalMoment(3)
      (state.failures, state.failure) = (statement.int(4), statement.optionalText(5))
      state.contentVersion = statement.int(6)
      state.count = Int(statement.int(13))
      state.cursor = statement.optionalText(1)
      (state.asked, state.answered) = (statement.int(7), statement.int(8))
      state.walk = ListWalk(
        stored: statement.int(10), page: statement.optionalText(9),
        cursor: statement.optionalText(14),
        began: statement.optionalMoment(11))
      // A damaged cursor or page would return the wrong changes; without them the whole list is
      // requested.
      guard statement.int(12) == state.checksum(list, collection) else {
        (state.cursor, state.walk) = (nil, nil)
        return state
      }
      state.lastUpdate = statement.optionalMoment(2)
      if state.lastUpdate == nil { state.cursor = nil }
      return state
    }
  }

  /// Writes the state of a list; returns the number of its row.
  func write(
    _ state: ListState, of list: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.withStatement(
      .writeList, collection, list, state.cursor, state.lastUpdate?.millisecondsSinceEpoch,
      state.dueAt?.millisecondsSinceEpoch, state.failures, state.failure, state.contentVersion,
      state.asked, state.answered, state.walk?.page, state.walk?.stored ?? 0,
      state.walk?.began?.millisecondsSinceEpoch, state.checksum(list, collection),
      state.walk?.cursor
    ) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      return statement.int(0)
    }
  }
}

extension Storage.ListState {
  /// Everything that a request, or a renewal, rests on, but the moments, which follow the wall clock.
  fileprivate func checksum(_ list: String, _ collection: String) -> Int64 {
    var checksum = Checksum()
    checksum.combine(collection)
    checksum.combine(list)
    checksum.combine(cursor)
    for number in [contentVersion, asked, answered, walk?.stored ?? 0] { checksum.combine(number) }
    checksum.combine(walk?.page)
    checksum.combine(walk?.cursor)
    return Int64(bitPattern: checksum.value)
  }
}

extension Storage {
  /// A source's answer about a list, or one page of it, ready to be stored.
  struct ListChange: Sendable {
    let lease: Lease
    let list: String
    let expiry: Expiry
    let origin: OriginGuard?
    /// The time of the source's answer: the members, and with the first page the list, are as old as
    /// that.
    let known: ClockReading
    var contentVersion: Int64 = 0
    /// The state at the cursor that was sent; `nil` when the whole list was requested.
    var basis: ListBasis?
    /// The walk that this page continues, with the time of its first page if this update asked for that; `nil` with
    /// the first page.
    var walk: (number: Int64, began: ClockReading?)?
    /// The token of the next page; `nil` with the last one.
    var next: String?
    /// How long the lease holds for the next page.
    var holding = Duration.zero
    /// The cursor that the source has named, for the state at this answer or an earlier one; `nil` leaves
    /// the stored one as it is.
    var cursor: String??
    /// Every key that is on the list, or was added to it.
    var members: [String] = []
    var writes: [Write] = []
    var named: [String] = []
    var changed: [String] = []
    var unchanged: [String] = []
    var removals: [String] = []
    /// The result as far as it is known ahead of the transaction.
    var followed = FollowedList()

    var collection: String { lease.collectionOfList }
    /// True when members that are not mentioned have left the list.
    var isFull: Bool { followed.isFull }
    /// The number of the request for the first page, or for all of it.
    var number: Int64 { walk?.number ?? lease.fence }
    /// True for a page among others.
    var isPage: Bool { walk != nil || next != nil }
    /// True when the answer vouches for the members that it does not mention.
    var vouchesForOthers: Bool { basis != nil && !isFull && next == nil }

    /// This change with the larger half of its values as changed members, which are fetched by themselves; `nil`
    /// without a value.
    func withoutLargest(_ cause: StoreError) -> ListChange? {
      guard !writes.isEmpty else { return nil }
      let bySize = writes.sorted { ($0.content.value?.count ?? 0) < ($1.content.value?.count ?? 0) }
      let kept = bySize.count / 2
      var smaller = self
      smaller.writes = Array(bySize[..<kept])
      for write in bySize[kept...] {
        smaller.changed.append(write.content.key)
        smaller.followed.refused[write.content.key] = FetchFailure(
          .notStorable, "\(cause)", underlying: cause)
      }
      return smaller
    }

    /// When the source was asked for the first page, or for all of it, on the present wall clock.
    func began(_ old: ListState?, at now: ClockReading) -> Timestamp {
      let known = known.wall(at: now)
      guard let walk else { return known }
      return walk.began?.wall(at: now) ?? old?.walk?.began ?? known
    }

    /// True when a member was removed here during the request, or since the first of its pages was
    /// stored: the answer must not hide that.
    private func beginsAnew(_ old: ListState?) -> Bool {
      if walk != nil { return old?.walk?.began == nil }
      return basis != nil && old?.lastUpdate == nil && !isFull
    }

    /// The state of the list with this answer.
    func state(after old: ListState?, answered: Int64, at now: ClockReading) -> ListState {
      var state = old ?? ListState()
      (state.failures, state.failure, state.contentVersion) = (0, nil, contentVersion)
      let began = began(old, at: now)
      if let next {
        // A walk through the whole list ends the use of its cursor.
        if isFull {
          (state.cursor, state.lastUpdate, state.asked, state.answered) = (nil, nil, 0, 0)
        }
        // A later page's cursor passes over the changes on the pages before.
        state.walk = ListWalk(
          number: number, isWhole: isFull, page: next,
          cursor: walk == nil ? cursor.flatMap { $0 } : old?.walk?.cursor,
          began: beginsAnew(old) ? nil : walk == nil ? began : old?.walk?.began)
        state.dueAt = known.wall(at: now)
        return state
      }
      if beginsAnew(old) {
        (state.cursor, state.lastUpdate) = (nil, nil)
      } else {
        if let cursor { state.cursor = (walk == nil ? nil : old?.walk?.cursor) ?? cursor }
        state.lastUpdate = began
      }
      (state.asked, state.answered, state.walk) = (number, answered, nil)
      state.dueAt = expiry.end(after: began)
      return state
    }
  }
}

extension Lease {
  /// The collection of the list that this lease gives the right to follow.
  var collectionOfList: String {
    // By bytes: a combining mark after the colon would join it to one character.
    let digits = key.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard let count = Int(String(decoding: digits, as: UTF8.self)) else { return "" }
    return String(decoding: key.utf8.dropFirst(digits.count + 1).prefix(count), as: UTF8.self)
  }
}

extension Expiry {
  /// The expiry of data updated at `moment`; `nil` when it never expires.
  fileprivate func end(after moment: Timestamp) -> Timestamp? {
    switch self {
    case .after(let duration): moment.advanced(by: duration)
    case .immediately: moment
    case .never, .unstated: nil
    }
  }
}

extension SQL {
  fileprivate static let readList = SQL(
    """
    SELECT l.id, l.cursor, l.last_update, l.due_at, l.failures, l.failure, l.content_version,
      l.asked, l.answered, l.page, l.walk, l.walk_at, l.checksum,
      (SELECT count(*) FROM list_member m WHERE m.list = l.id), l.walk_cursor
    FROM list l WHERE l.collection = ?1 AND l.name = ?2
    """)
  fileprivate static let writeList = SQL(
    """
    INSERT INTO list (collection, name, cursor, last_update, due_at, failures, failure,
      content_version, asked, answered, page, walk, walk_at, checksum, walk_cursor)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    ON CONFLICT (collection, name) DO UPDATE SET
      cursor = ?3, last_update = ?4, due_at = ?5, failures = ?6, failure = ?7,
      content_version = ?8, asked = ?9, answered = ?10, page = ?11, walk = ?12, walk_at = ?13,
      checksum = ?14, walk_cursor = ?15
    RETURNING id
    """)
}
