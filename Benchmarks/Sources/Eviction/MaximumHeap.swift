/// A binary heap that gives the largest number first.
struct MaximumHeap {
  private var items: [UInt64] = []

  mutating func push(_ item: UInt64) {
    items.append(item)
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard items[parent] < item else { break }
      items[child] = items[parent]
      child = parent
    }
    items[child] = item
  }

  mutating func pop() -> UInt64? {
    guard let last = items.popLast() else { return nil }
    guard let top = items.first else { return last }
    var parent = 0
    while parent * 2 + 1 < items.count {
      var child = parent * 2 + 1
      if child + 1 < items.count, items[child + 1] > items[child] { child += 1 }
      guard items[child] > last else { break }
      items[parent] = items[child]
      parent = child
    }
    items[parent] = last
    return top
  }
}
