/// Least recently used: every hit relinks.
struct LRUSimulator: CacheSimulator {
  private var list: LinkedKeys
  private var held: [Int32]
  private var used = 0
  private let capacity: Int

  init(_ configuration: SimulatorConfiguration) {
    list = LinkedKeys(universe: configuration.universe, lists: 1)
    held = Array(repeating: 0, count: configuration.universe)
    capacity = configuration.capacity
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    if held[Int(key)] > 0 {
      list.moveToHead(0, key)
      return true
    }
    guard weight <= capacity else { return false }
    while used + weight > capacity, let victim = list.tail(0) {
      list.unlink(victim)
      used -= Int(held[Int(victim)])
      held[Int(victim)] = 0
    }
    list.pushHead(0, key)
    held[Int(key)] = Int32(weight)
    used += weight
    return false
  }
}
