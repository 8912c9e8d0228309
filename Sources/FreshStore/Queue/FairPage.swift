/// The head of a queue, of so many elements, in which each origin has its part.
struct FairPage<Element> {
  private let limit: Int
  private let perOrigin: Int
  private var counts: [ExactName: Int] = [:]
  /// What is more than its origin's part, in the order of the queue.
  private var spill: [(element: Element, origin: ExactName)] = []
  private(set) var elements: [Element] = []
  /// The origins of which there is more in the queue.
  private(set) var truncated: Set<ExactName> = []

  /// So much of each origin has room on a page that is full of others, up to twice its size.
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

  /// Fills what room there is with what was more than its origin's part.
  mutating func finish() {
    let room = max(0, limit - elements.count)
    elements += spill.prefix(room).map(\.element)
    truncated.formUnion(spill.dropFirst(room).map(\.origin))
    spill = []
  }
}
