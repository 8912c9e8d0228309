internal import FreshStore
internal import Strategies

/// What waits in one of the queues.
protocol Waiting: Sendable {
  /// Whom it needs a place with.
  var account: Ledger.Account { get }
  /// What is less goes first.
  var place: Int64 { get }
  /// False for two that must not be taken at once.
  func mayGo(with other: Self) -> Bool
}

/// What waits, whom to ask beside whom, each lane in the order of the queue.
struct Lanes<Element: Waiting> {
  private var lanes: [Ledger.Account: ArraySlice<Element>] = [:]
  private var truncated: Set<ExactName> = []

  init() {}

  /// - Parameter truncated: The origins of which there is more in the queue.
  init(_ elements: [Element], truncated: Set<ExactName>) {
    self.truncated = truncated
    lanes = Dictionary(grouping: elements, by: \.account).mapValues { $0[...] }
  }

  var isEmpty: Bool { lanes.isEmpty }

  /// True when a lane has run out of which there is more in the queue.
  var wantMore: Bool {
    !truncated.isSubset(of: lanes.keys.map { ExactName($0.origin) })
  }

  /// The lane whose head goes first.
  func first(besides blocked: Set<Ledger.Account>) -> Ledger.Account? {
    let heads = lanes.compactMap { account, lane in
      lane.first.flatMap { blocked.contains(account) ? nil : (account, $0.place) }
    }
    return heads.min { $0.1 < $1.1 }?.0
  }

  /// Takes up to so many off the head of a lane.
  mutating func take(_ count: Int, of account: Ledger.Account) -> [Element] {
    guard var lane = lanes[account] else { return [] }
    var taken: [Element] = []
    while taken.count < count, let next = lane.first, taken.allSatisfy(next.mayGo) {
      taken.append(next)
      lane.removeFirst()
    }
    lanes[account] = lane.isEmpty ? nil : lane
    return taken
  }
}

extension QueuedRecord: Waiting {
  var account: Ledger.Account { Ledger.Account(collection: collection, origin: origin) }
  var place: Int64 { queuedAt.millisecondsSinceEpoch }

  /// An answer by key could hold only one of two that are the same text in different bytes.
  func mayGo(with other: QueuedRecord) -> Bool { key != other.key }
}

extension WaitingWrite: Waiting {
  var account: Ledger.Account { Ledger.Account(collection: collection, origin: origin) }
  var place: Int64 { id }
  func mayGo(with other: WaitingWrite) -> Bool { true }
}
