internal import FreshStore
internal import Strategies

/// An element of one of the queues.
protocol Waiting: Sendable {
  /// The account with which it needs a place.
  var account: Ledger.Account { get }
  /// True when it goes first.
  func goes(before other: Self) -> Bool
  /// False for two that must not be taken at once.
  func mayGo(with other: Self) -> Bool
}

/// The waiting elements in lanes by account, each lane in the order of the queue.
struct Lanes<Element: Waiting> {
  private var lanes: [Ledger.Account: ArraySlice<Element>] = [:]
  /// Origins on the page with more elements in the queue.
  private var truncated: Set<ExactName> = []
  /// True when the queue has others, with nothing on the page.
  private var isCut = false

  init() {}

  /// - Parameter truncated: The origins with more elements in the queue.
  init(_ elements: [Element], truncated: Set<ExactName>) {
    lanes = Dictionary(grouping: elements, by: \.account).mapValues { $0[...] }
    self.truncated = truncated.intersection(lanes.keys.map { ExactName($0.origin) })
    isCut = self.truncated.count < truncated.count
  }

  var isEmpty: Bool { lanes.isEmpty }

  /// The accounts with waiting elements.
  var accounts: some Collection<Ledger.Account> { lanes.keys }

  /// True when a lane is empty that has more in the queue, or all lanes of a page that was cut.
  var wantMore: Bool {
    lanes.isEmpty
      ? isCut || !truncated.isEmpty
      : !truncated.isSubset(of: lanes.keys.map { ExactName($0.origin) })
  }

  func has(_ account: Ledger.Account) -> Bool { lanes[account] != nil }

  func has(collection: ExactName) -> Bool {
    lanes.keys.contains { $0.collection.hasSameBytes(as: collection.text) }
  }

  /// The lane whose head goes first.
  func first(besides blocked: Set<Ledger.Account>) -> Ledger.Account? {
    let heads = lanes.compactMap { account, lane in
      lane.first.flatMap { blocked.contains(account) ? nil : (account, $0) }
    }
    return heads.min { $0.1.goes(before: $1.1) }?.0
  }

  /// Takes up to so many elements off the head of a lane.
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
  func goes(before other: QueuedRecord) -> Bool { queuedAt < other.queuedAt }

  /// An answer by key could hold only one of two keys that are the same text in different bytes.
  func mayGo(with other: QueuedRecord) -> Bool { key != other.key }
}

extension WaitingWrite: Waiting {
  var account: Ledger.Account { Ledger.Account(collection: collection, origin: origin) }

  /// A failed write goes behind those that were not tried, so that it does not delay them; the
  /// outbox is in the same order.
  func goes(before other: WaitingWrite) -> Bool {
    (attempts, id) < (other.attempts, other.id)
  }

  func mayGo(with other: WaitingWrite) -> Bool { true }
}
