internal import FreshStore
internal import Strategies

/// An element of one of the queues.
protocol QueueElement: Sendable {
  /// The account in which it needs a slot.
  var account: RunProgress.Account { get }
  /// True when its body is large.
  var isLarge: Bool { get }
  /// True when an earlier attempt has failed.
  var hasFailed: Bool { get }
  /// True when it goes before the other.
  func goes(before other: Self) -> Bool
  /// False for two elements that must not be taken at once.
  func mayGo(with other: Self) -> Bool
}

extension QueueElement {
  fileprivate var lane: RunProgress.Lane { RunProgress.Lane(account: account, isLarge: isLarge) }
}

/// The pending elements of a page, by account, the large ones apart. Each part is in the order of the queue.
struct FairQueue<Element: QueueElement> {
  private var queues: [RunProgress.Lane: ArraySlice<Element>] = [:]
  /// The shares of the page that have more elements in the queue.
  private var truncated: Set<FairShare> = []
  /// True when the queue has elements of shares without any on the page.
  private var isCut = false

  init() {}

  /// - Parameter truncated: The shares with more elements in the queue.
  init(_ elements: [Element], truncated: Set<FairShare>) {
    queues = Dictionary(grouping: elements, by: \.lane).mapValues { $0[...] }
    self.truncated = truncated.intersection(queues.keys.map(\.share))
    isCut = self.truncated.count < truncated.count
  }

  /// The most elements held in memory, in total and of one origin.
  static var size: Int { 4096 }
  static var sizePerOrigin: Int { 512 }

  var isEmpty: Bool { queues.isEmpty }

  /// The accounts with pending elements.
  var accounts: Set<RunProgress.Account> { Set(queues.keys.map(\.account)) }

  /// True when the queue has more elements than the page had, and the page or the part of a share on it is used up.
  var wantMore: Bool {
    queues.isEmpty
      ? isCut || !truncated.isEmpty
      : !truncated.isSubset(of: queues.keys.map(\.share))
  }

  var count: Int { queues.values.reduce(0) { $0 + $1.count } }

  /// The lane whose head goes first.
  ///
  /// - Parameter isOnTrial: True for an account whose next request shows whether its source is back. An element that
  ///   has never failed makes that request: an element that always fails would keep the source closed for all.
  func first(
    besides blocked: Set<RunProgress.Lane>, isOnTrial: (RunProgress.Account) -> Bool
  ) -> RunProgress.Lane? {
    let heads = queues.compactMap {
      lane, queue -> (lane: RunProgress.Lane, head: Element, waits: Bool)? in
      guard !blocked.contains(lane), let head = queue.first else { return nil }
      guard isOnTrial(lane.account) else { return (lane, head, false) }
      guard let sound = queue.first(where: { !$0.hasFailed }) else { return (lane, head, true) }
      return (lane, sound, false)
    }
    return heads.min { $0.waits == $1.waits ? $0.head.goes(before: $1.head) : $1.waits }?.lane
  }

  /// Takes up to so many elements off the head of a lane. For a trial it takes elements that have never failed, if
  /// there are any.
  mutating func take(
    _ count: Int, of lane: RunProgress.Lane, forTrial isTrial: Bool = false
  ) -> [Element] {
    guard var queue = queues[lane] else { return [] }
    if isTrial, let sound = queue.firstIndex(where: { !$0.hasFailed }) {
      queue.insert(queue.remove(at: sound), at: queue.startIndex)
    }
    var taken: [Element] = []
    while taken.count < count, let next = queue.first, taken.allSatisfy(next.mayGo) {
      if isTrial, let first = taken.first, first.hasFailed != next.hasFailed { break }
      taken.append(next)
      queue.removeFirst()
    }
    queues[lane] = queue.isEmpty ? nil : queue
    return taken
  }
}

extension FairQueue<WaitingWrite> {
  /// Inserts a write in its order, and removes another one of its key.
  ///
  /// A page that was cut may lack writes that go before this one. So the write is left for the next page if it goes
  /// behind all writes of its share.
  mutating func insert(_ write: WaitingWrite) {
    for (lane, queue) in queues
    where lane.account.collection.hasSameBytes(as: write.collection) {
      guard let former = queue.firstIndex(where: { $0.key.hasSameBytes(as: write.key) }) else {
        continue
      }
      var others = queue
      others.remove(at: former)
      queues[lane] = others.isEmpty ? nil : others
    }
    guard !truncated.contains(write.lane.share) || hasBehind(write) else { return }
    var queue = queues[write.lane] ?? []
    var (low, high) = (queue.startIndex, queue.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if queue[middle].goes(before: write) { low = middle + 1 } else { high = middle }
    }
    queue.insert(write, at: low)
    queues[write.lane] = queue
  }

  /// True when another write of its share goes behind it.
  private func hasBehind(_ write: WaitingWrite) -> Bool {
    queues.contains { lane, queue in
      lane.share == write.lane.share && queue.last.map(write.goes) ?? false
    }
  }
}

extension QueuedRecord: QueueElement {
  var account: RunProgress.Account { RunProgress.Account(collection: collection, origin: origin) }
  var isLarge: Bool { false }
  /// False: the queue does not say.
  var hasFailed: Bool { false }
  func goes(before other: QueuedRecord) -> Bool { queuedAt < other.queuedAt }

  /// Two keys may be the same text in different bytes; an answer by key could hold only one of them.
  func mayGo(with other: QueuedRecord) -> Bool { key != other.key }
}

extension WaitingWrite: QueueElement {
  var account: RunProgress.Account { RunProgress.Account(collection: collection, origin: origin) }

  /// A failed write goes to the back of its priority, so that it does not delay others. The outbox has the same
  /// order.
  func goes(before other: WaitingWrite) -> Bool {
    (other.priority, dueAt, id) < (priority, other.dueAt, other.id)
  }

  /// Two keys may be the same text in different bytes; an answer by key could hold only one of them. A write for
  /// which a whole request may have been refused goes by itself.
  func mayGo(with other: WaitingWrite) -> Bool {
    key != other.key && !isSuspect && !other.isSuspect
  }
}
