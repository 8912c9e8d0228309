internal import FreshStore
internal import Strategies

/// An element of one of the queues.
protocol Waiting: Sendable {
  /// The account with which it needs a place.
  var account: RunProgress.Account { get }
  /// True when its body is large.
  var isLarge: Bool { get }
  /// True when it goes first.
  func goes(before other: Self) -> Bool
  /// False for two that must not be taken at once.
  func mayGo(with other: Self) -> Bool
}

extension Waiting {
  fileprivate var lane: RunProgress.Lane { RunProgress.Lane(account: account, isLarge: isLarge) }
}

/// The waiting elements in queues by account, the large ones apart, each queue in the order of the queue.
struct FairQueue<Element: Waiting> {
  private var queues: [RunProgress.Lane: ArraySlice<Element>] = [:]
  /// Shares on the page with more elements in the queue.
  private var truncated: Set<FairShare> = []
  /// True when the queue has others, with nothing on the page.
  private var isCut = false

  init() {}

  /// - Parameter truncated: The shares with more elements in the queue.
  init(_ elements: [Element], truncated: Set<FairShare>) {
    queues = Dictionary(grouping: elements, by: \.lane).mapValues { $0[...] }
    self.truncated = truncated.intersection(queues.keys.map(\.share))
    isCut = self.truncated.count < truncated.count
  }

  /// The part of a queue that is held in memory, and the part of that for one origin.
  static var size: Int { 4096 }
  static var sizePerOrigin: Int { 512 }

  var isEmpty: Bool { queues.isEmpty }

  /// The accounts with waiting elements.
  var accounts: Set<RunProgress.Account> { Set(queues.keys.map(\.account)) }

  /// True when a queue is empty that has more in the queue, or all queues of a page that was cut.
  var wantMore: Bool {
    queues.isEmpty
      ? isCut || !truncated.isEmpty
      : !truncated.isSubset(of: queues.keys.map(\.share))
  }

  func has(_ account: RunProgress.Account) -> Bool {
    [false, true].contains { queues[RunProgress.Lane(account: account, isLarge: $0)] != nil }
  }

  func has(collection: ExactName) -> Bool {
    queues.keys.contains { $0.account.collection.hasSameBytes(as: collection.text) }
  }

  /// The queue whose head goes first.
  func first(besides blocked: Set<RunProgress.Lane>) -> RunProgress.Lane? {
    let heads = queues.compactMap { lane, queue in
      queue.first.flatMap { blocked.contains(lane) ? nil : (lane, $0) }
    }
    return heads.min { $0.1.goes(before: $1.1) }?.0
  }

  /// Takes up to so many elements off the head of a queue.
  mutating func take(_ count: Int, of lane: RunProgress.Lane) -> [Element] {
    guard var queue = queues[lane] else { return [] }
    var taken: [Element] = []
    while taken.count < count, let next = queue.first, taken.allSatisfy(next.mayGo) {
      taken.append(next)
      queue.removeFirst()
    }
    queues[lane] = queue.isEmpty ? nil : queue
    return taken
  }
}

extension QueuedRecord: Waiting {
  var account: RunProgress.Account { RunProgress.Account(collection: collection, origin: origin) }
  var isLarge: Bool { false }
  func goes(before other: QueuedRecord) -> Bool { queuedAt < other.queuedAt }

  /// An answer by key could hold only one of two keys that are the same text in different bytes.
  func mayGo(with other: QueuedRecord) -> Bool { key != other.key }
}

extension WaitingWrite: Waiting {
  var account: RunProgress.Account { RunProgress.Account(collection: collection, origin: origin) }

  /// A failed write goes behind those that were not tried, so that it does not delay them; the
  /// outbox is in the same order.
  func goes(before other: WaitingWrite) -> Bool {
    (attempts, other.priority, id) < (other.attempts, priority, other.id)
  }

  /// An answer by key could hold only one of two keys that are the same text in different bytes.
  func mayGo(with other: WaitingWrite) -> Bool { key != other.key }
}
