/// ARC: two LRU lists (seen once, seen again) with a ghost list each; hits in the ghosts move
/// the border between the two. With weights, all sizes of the paper are sums of weights.
struct ARCSimulator: CacheSimulator {
  private static let once = 0
  private static let again = 1
  private static let onceGhost = 2
  private static let againGhost = 3
  private static let out: UInt8 = 4

  private var lists: LinkedKeys
  private var places: [UInt8]
  private var weights: [Int32]
  private var used = [0, 0, 0, 0]
  private var target = 0
  private let capacity: Int

  init(_ configuration: SimulatorConfiguration) {
    lists = LinkedKeys(universe: configuration.universe, lists: 4)
    places = Array(repeating: Self.out, count: configuration.universe)
    weights = Array(repeating: 0, count: configuration.universe)
    capacity = configuration.capacity
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    let place = places[Int(key)]
    if place <= 1 {
      leave(key)
      enter(key, Self.again)
      return true
    }
    guard weight <= capacity else { return false }
    weights[Int(key)] = Int32(weight)
    if place == Self.out {
      makeRoom(weight, favourOnce: false)
      trimGhosts(weight)
      enter(key, Self.once)
    } else {
      adapt(Int(place), weight)
      leave(key)
      makeRoom(weight, favourOnce: Int(place) == Self.againGhost)
      enter(key, Self.again)
    }
    return false
  }

  private mutating func adapt(_ ghost: Int, _ weight: Int) {
    let onces = max(1, used[Self.onceGhost])
    let agains = max(1, used[Self.againGhost])
    if ghost == Self.onceGhost {
      target = min(capacity, target + max(weight, weight * agains / onces))
    } else {
      target = max(0, target - max(weight, weight * onces / agains))
    }
  }

  private mutating func makeRoom(_ weight: Int, favourOnce: Bool) {
    while used[Self.once] + used[Self.again] + weight > capacity {
      let onces = used[Self.once]
      let fromOnce = onces > 0 && (onces > target || (favourOnce && onces == target))
      let list = fromOnce || used[Self.again] == 0 ? Self.once : Self.again
      guard let victim = lists.tail(list) else { return }
      leave(victim)
      enter(victim, list + 2)
    }
  }

  private mutating func trimGhosts(_ weight: Int) {
    while used[Self.once] + used[Self.onceGhost] + weight > capacity,
      let oldest = lists.tail(Self.onceGhost)
    {
      leave(oldest)
    }
    while used.reduce(0, +) + weight > capacity * 2, let oldest = lists.tail(Self.againGhost) {
      leave(oldest)
    }
  }

  private mutating func enter(_ key: Int32, _ list: Int) {
    places[Int(key)] = UInt8(list)
    lists.pushHead(list, key)
    used[list] += Int(weights[Int(key)])
  }

  private mutating func leave(_ key: Int32) {
    used[Int(places[Int(key)])] -= Int(weights[Int(key)])
    lists.unlink(key)
    places[Int(key)] = Self.out
  }
}
