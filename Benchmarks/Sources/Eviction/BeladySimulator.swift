/// Belady's optimum with bypass: drops the entry requested furthest in the future, the newcomer
/// included. An upper bound for entries of one weight.
struct BeladySimulator: CacheSimulator {
  private var nextUses: [Int32]
  private var held: [Bool]
  private var heap = MaximumHeap()
  private var now = 0
  private var used = 0
  private let capacity: Int

  init(_ configuration: SimulatorConfiguration) {
    let requests = configuration.requests
    nextUses = Array(repeating: .max, count: requests.count)
    var following = Array(repeating: Int32.max, count: configuration.universe)
    for index in requests.indices.reversed() {
      nextUses[index] = following[Int(requests[index])]
      following[Int(requests[index])] = Int32(index)
    }
    held = Array(repeating: false, count: configuration.universe)
    capacity = configuration.capacity
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    let hit = held[Int(key)]
    let next = nextUses[now]
    now += 1
    if !hit {
      held[Int(key)] = true
      used += weight
    }
    heap.push(UInt64(UInt32(next)) << 32 | UInt64(UInt32(key)))
    // A stale entry of the heap has its use in the past, so it never comes out first.
    while used > capacity, let furthest = heap.pop() {
      held[Int(furthest & 0xFFFF_FFFF)] = false
      used -= weight
    }
    return hit
  }
}
