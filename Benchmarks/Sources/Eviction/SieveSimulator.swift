/// SIEVE: a queue that never relinks; a hand walks from the tail to the head and evicts the
/// first entry that was not visited since it last passed.
struct SieveSimulator: CacheSimulator {
  private var list: LinkedKeys
  private var held: [Int32]
  private var visited: [Bool]
  private var hand: Int32?
  private var used = 0
  private let capacity: Int

  init(_ configuration: SimulatorConfiguration) {
    list = LinkedKeys(universe: configuration.universe, lists: 1)
    held = Array(repeating: 0, count: configuration.universe)
    visited = Array(repeating: false, count: configuration.universe)
    capacity = configuration.capacity
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    if held[Int(key)] > 0 {
      visited[Int(key)] = true
      return true
    }
    guard weight <= capacity else { return false }
    while used + weight > capacity { evict() }
    list.pushHead(0, key)
    held[Int(key)] = Int32(weight)
    visited[Int(key)] = false
    used += weight
    return false
  }

  private mutating func evict() {
    while let candidate = hand ?? list.tail(0) {
      hand = list.newer(than: candidate)
      guard visited[Int(candidate)] else {
        list.unlink(candidate)
        used -= Int(held[Int(candidate)])
        held[Int(candidate)] = 0
        return
      }
      visited[Int(candidate)] = false
    }
  }
}
