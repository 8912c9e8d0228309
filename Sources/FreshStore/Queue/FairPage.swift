/// The head of a queue, up to a number of elements, with a share for each origin.
struct FairPage<Element> {
  private let limit: Int
  private let perOrigin: Int
  private var counts: [ExactName: Int] = [:]
  /// Elements beyond their origin's share, in the order of the queue.
  private var spill: [(element: Element, origin: ExactName)] = []
  private(set) var elements: [Element] = []
  /// The origins with more elements in the queue.
  private(set) var truncated: Set<ExactName> = []

  /// The minimum share of each origin on a page that is full of others, up to twice its size.
  private static var leastPart: Int { 8 }

  init(limit: Int, perOrigin: Int) {
    self.limit = limit
    self.perOrigin = perOrigin
  }

  mutating func add(_ element: @autoclosure () -> Element, of name: String) {
    let origin = ExactName(name)
    let count = counts[origin, default: 0]
    let part = elements.count < limit ? perOrigin : min(perOrigin, Self.leastPart)
    if count < part, elements.count < 2 * limit {
      counts[origin] = count + 1
      elements.append(element())
    } else if spill.count < limit {
      spill.append((element(), origin))
    } else {
      truncated.insert(origin)
    }
  }

  /// Fills the remaining room with elements beyond their origin's share.
  mutating func finish() {
    let room = max(0, limit - elements.count)
    elements += spill.prefix(room).map(\.element)
    truncated.formUnion(spill.dropFirst(room).map(\.origin))
    spill = []
  }
}
