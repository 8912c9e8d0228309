/// CLOCK with one reference bit, as a queue whose tail gets a second chance.
struct ClockSimulator: CacheSimulator {
  private var list: LinkedKeys
  private var held: [Int32]
  private var referenced: [Bool]
  private var used = 0
  private let capacity: Int

  init(_ configuration: SimulatorConfiguration) {
    list = LinkedKeys(universe: configuration.universe, lists: 1)
    held = Array(repeating: 0, count: configuration.universe)
    referenced = Array(repeating: false, count: configuration.universe)
    capacity = configuration.capacity
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    if held[Int(key)] > 0 {
      referenced[Int(key)] = true
      return true
    }
    guard weight <= capacity else { return false }
    while used + weight > capacity { evict() }
    list.pushHead(0, key)
    held[Int(key)] = Int32(weight)
    referenced[Int(key)] = false
    used += weight
    return false
  }

  private mutating func evict() {
    while let victim = list.tail(0) {
      guard referenced[Int(victim)] else {
        list.unlink(victim)
        used -= Int(held[Int(victim)])
        held[Int(victim)] = 0
        return
      }
      referenced[Int(victim)] = false
      list.moveToHead(0, victim)
    }
  }
}
