/// 2Q (the full version): a FIFO of 25 % for newcomers, ghosts of 50 %, an LRU for the rest.
struct TwoQueueSimulator: CacheSimulator {
  private static let recent = 0
  private static let frequent = 1
  private static let ghost = 2

  private enum Place: UInt8 { case out, recent, frequent, ghost }

  private var lists: LinkedKeys
  private var places: [Place]
  private var weights: [Int32]
  private var recentUsed = 0
  private var frequentUsed = 0
  private var ghosts = 0
  private let capacity: Int
  private let recentTarget: Int
  private let ghostLimit: Int

  init(_ configuration: SimulatorConfiguration) {
    lists = LinkedKeys(universe: configuration.universe, lists: 3)
    places = Array(repeating: .out, count: configuration.universe)
    weights = Array(repeating: 0, count: configuration.universe)
    capacity = configuration.capacity
    recentTarget = max(1, capacity / 4)
    ghostLimit = configuration.expectedEntries / 2
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    let place = places[Int(key)]
    if place == .frequent { lists.moveToHead(Self.frequent, key) }
    if place == .frequent || place == .recent { return true }
    guard weight <= capacity else { return false }
    if place == .ghost { forget(key) }
    while recentUsed + frequentUsed + weight > capacity { evict() }
    weights[Int(key)] = Int32(weight)
    if place == .ghost {
      places[Int(key)] = .frequent
      lists.pushHead(Self.frequent, key)
      frequentUsed += weight
    } else {
      places[Int(key)] = .recent
      lists.pushHead(Self.recent, key)
      recentUsed += weight
    }
    return false
  }

  private mutating func evict() {
    if recentUsed > recentTarget || frequentUsed == 0, let key = lists.tail(Self.recent) {
      lists.unlink(key)
      recentUsed -= Int(weights[Int(key)])
      places[Int(key)] = .ghost
      lists.pushHead(Self.ghost, key)
      ghosts += 1
      if ghosts > ghostLimit, let oldest = lists.tail(Self.ghost) { forget(oldest) }
    } else if let key = lists.tail(Self.frequent) {
      lists.unlink(key)
      frequentUsed -= Int(weights[Int(key)])
      places[Int(key)] = .out
    }
  }

  private mutating func forget(_ key: Int32) {
    lists.unlink(key)
    places[Int(key)] = .out
    ghosts -= 1
  }
}
