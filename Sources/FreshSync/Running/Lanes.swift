internal import FreshStore

/// Records that wait to be fetched, whom to ask beside whom, each lane in the order of the queue.
struct Lanes {
  private var lanes: [Ledger.Account: ArraySlice<QueuedRecord>] = [:]
  private var truncated: Set<String> = []

  init() {}

  init(_ page: QueuePage) {
    truncated = page.truncated
    let lanes = Dictionary(grouping: page.records) { record in
      Ledger.Account(collection: record.collection, origin: record.origin)
    }
    self.lanes = lanes.mapValues { $0[...] }
  }

  /// True when a lane has run out of which there is more in the queue.
  var wantMore: Bool {
    truncated.contains { origin in !lanes.keys.contains { $0.origin == origin } }
  }

  /// The lane whose head has been due the longest.
  func first(besides blocked: Set<Ledger.Account>) -> Ledger.Account? {
    let heads = lanes.compactMap { account, lane in
      lane.first.flatMap { blocked.contains(account) ? nil : (account, $0.queuedAt) }
    }
    return heads.min { $0.1 < $1.1 }?.0
  }

  /// Takes up to so many records off the head of a lane; two that are the same text in different
  /// bytes are not taken at once, because an answer by key could hold only one.
  mutating func take(_ count: Int, of account: Ledger.Account) -> [QueuedRecord] {
    guard var lane = lanes[account] else { return [] }
    var taken: [QueuedRecord] = []
    while taken.count < count, let next = lane.first, !taken.contains(where: { $0.key == next.key })
    {
      taken.append(next)
      lane.removeFirst()
    }
    lanes[account] = lane.isEmpty ? nil : lane
    return taken
  }
}
