internal import Strategies

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
    /// The walk that this page continues, and the time of its first page if that was asked for by this
    /// update; `nil` with the first page.
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

    init(
      lease: Lease, list: String, expiry: Expiry, origin: OriginGuard?, known: ClockReading
    ) {
      self.lease = lease
      self.list = list
      self.expiry = expiry
      self.origin = origin
      self.known = known
    }

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
        // A walk through the whole list ends what its cursor stood for.
        if isFull {
          (state.cursor, state.lastUpdate, state.asked, state.answered) = (nil, nil, 0, 0)
        }
        // A later page's cursor passes over what changed on the pages before.
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
