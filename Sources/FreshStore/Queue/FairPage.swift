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

  /// The minimum share of each origin on a page that is full of others, up to twice its size.
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

  /// Fills the remaining room with elements beyond their origin's share.
  mutating func finish() {
    let room = max(0, limit - elements.count)
    elements += spill.prefix(room).map(\.element)
    truncated.formUnion(spill.dropFirst(room).map(\.share))
    spill = []
  }
}
