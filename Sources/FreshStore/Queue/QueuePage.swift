package import Strategies

/// The head of the refetch queue.
package struct QueuePage: Sendable {
  package var records: [QueuedRecord] = []
  /// The shares with more due records than the page holds.
  package var truncated: Set<FairShare> = []

  /// The time of the query: records that are due later are on no page yet.
  package let moment: Timestamp

  package init(moment: Timestamp) {
    self.moment = moment
  }
}

/// A record that was seen in the refetch queue and not yet handed out.
package struct QueuedRecord: Sendable, Hashable {
  package let collection: String
  package let key: String
  /// The origin of its fetch, as the caller names it.
  package let origin: String
  /// The record's place in the queue.
  package let queuedAt: Timestamp
  package let address: String?
  let row: Int64
}

/// The head of the outbox.
package struct WritePage: Sendable {
  package var writes: [WaitingWrite] = []
  /// The shares with more due writes than the page holds.
  package var truncated: Set<FairShare> = []
  /// The next due time of the other writes.
  package var next: Timestamp?

  package init() {}
}

/// A local write that was seen in the outbox and not yet handed out.
package struct WaitingWrite: Sendable, Hashable {
  package let id: OutboxEntry.ID
  package let collection: String
  package let key: String
  /// The origin of its push, as the caller names it.
  package let origin: String
  package let address: String?
  /// True when the body to send is large.
  package let isLarge: Bool
  /// True when the write was sent before, without effect.
  package let hasFailed: Bool
  /// True when a whole request may have failed because of this write.
  package let isSuspect: Bool
  package let priority: Int64
  /// The moment since which the write is due.
  package let dueAt: Timestamp
}

/// Names the origin that a fetch of a record asks; `nil` for a record that the caller does not fetch.
package typealias OriginOfRecord = @Sendable (_ collection: String, _ address: String?) -> String?

/// The head of a queue, up to a number of elements, with a share for each origin (``FairShare``).
struct FairPage<Element> {
  private let limit: Int
  private let perOrigin: Int
  private var counts: [FairShare: Int] = [:]
  /// Elements beyond their share, in the order of the queue.
  private var spill: [(element: Element, share: FairShare)] = []
  private(set) var elements: [Element] = []
  /// The shares with more elements in the queue.
  private(set) var truncated: Set<FairShare> = []

  /// The least share of each origin on a page that is full of other elements, which grows up to twice its size.
  private static var leastPart: Int { 8 }

  init(limit: Int, perOrigin: Int) {
    self.limit = limit
    self.perOrigin = perOrigin
  }

  mutating func add(_ element: @autoclosure () -> Element, of share: FairShare) {
    let count = counts[share, default: 0]
    let part = elements.count < limit ? perOrigin : min(perOrigin, Self.leastPart)
    if count < part, elements.count < 2 * limit {
      counts[share] = count + 1
      elements.append(element())
    } else if spill.count < limit {
      spill.append((element(), share))
    } else {
      truncated.insert(share)
    }
  }

  /// Fills the remaining room with elements beyond their share.
  mutating func finish() {
    let room = max(0, limit - elements.count)
    elements += spill.prefix(room).map(\.element)
    truncated.formUnion(spill.dropFirst(room).map(\.share))
    spill = []
  }
}

/// A share of a page of a queue: the small elements of an origin, or its large ones.
/// Large elements have a share of their own, so that they leave the small ones theirs.
package struct FairShare: Hashable, Sendable {
  package let origin: ExactName
  /// True for large bodies.
  package let isLarge: Bool

  package init(_ origin: String, isLarge: Bool = false) {
    self.origin = ExactName(origin)
    self.isLarge = isLarge
  }
}

/// A listing that is read in pages.
enum Paging {
  /// The most rows of one statement: in a damaged file the rows may never end, so each page is checked.
  private static var page: Int { 1000 }

  /// The elements of one page after another, at most `limit`.
  ///
  /// - Parameter id: Gives, for the last element of a page, the position after which the next page begins.
  static func all<Element, ID>(
    _ limit: Int, after start: ID, id: (Element) -> ID,
    of page: (_ last: ID, _ count: Int) throws(StoreError) -> [Element]
  ) throws(StoreError) -> [Element] {
    var (elements, last) = ([Element](), start)
    while elements.count < limit {
      let count = min(Self.page, limit - elements.count)
      let next = try page(last, count)
      elements += next
      guard next.count == count, let end = next.last else { break }
      last = id(end)
    }
    return elements
  }
}
