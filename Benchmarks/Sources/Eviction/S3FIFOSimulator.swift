/// S3-FIFO: a small queue filters entries requested once, a main queue gives chances by a two-bit
/// counter, a ghost queue remembers the entries that the small one dropped.
struct S3FIFOSimulator: CacheSimulator {
  /// The settings that the variation table varies.
  struct Settings {
    /// The part of the capacity that the small queue takes.
    var smallShare = 0.1
    /// How many hits in the small queue move an entry to the main one.
    var promotion: UInt8 = 2
    /// The length of the ghost queue, relative to the entries of the cache.
    var ghostShare = 0.9
    /// The largest count of hits that is remembered.
    var ceiling: UInt8 = 3
    /// How many entries one eviction may move before it takes the next one as it is.
    var moves = Int.max
    /// Whether entries before the first eviction go to the main queue once the small one has its
    /// share.
    var fillsMain = false
  }

  private static let small = 0
  private static let main = 1
  private static let ghost = 2

  private enum Place: UInt8 { case out, small, main, ghost }

  private var lists: LinkedKeys
  private var places: [Place]
  private var hits: [UInt8]
  private var weights: [Int32]
  private var smallUsed = 0
  private var mainUsed = 0
  private var ghosts = 0
  private var hasEvicted = false
  private let capacity: Int
  private let smallTarget: Int
  private let ghostLimit: Int
  private let settings: Settings

  init(_ configuration: SimulatorConfiguration) {
    self.init(configuration, Settings())
  }

  init(_ configuration: SimulatorConfiguration, _ settings: Settings) {
    let universe = configuration.universe
    lists = LinkedKeys(universe: universe, lists: 3)
    places = Array(repeating: .out, count: universe)
    hits = Array(repeating: 0, count: universe)
    weights = Array(repeating: 0, count: universe)
    capacity = configuration.capacity
    smallTarget = max(1, Int(Double(capacity) * settings.smallShare))
    ghostLimit = Int(Double(configuration.expectedEntries) * settings.ghostShare)
    self.settings = settings
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    let place = places[Int(key)]
    if place == .small || place == .main {
      if hits[Int(key)] < settings.ceiling { hits[Int(key)] += 1 }
      return true
    }
    guard weight <= capacity else { return false }
    let remembered = place == .ghost
    if remembered { forget(key) }
    while smallUsed + mainUsed + weight > capacity { evict() }
    hits[Int(key)] = 0
    weights[Int(key)] = Int32(weight)
    let isFilling = settings.fillsMain && !hasEvicted && smallUsed >= smallTarget
    enter(key, remembered || isFilling ? .main : .small)
    return false
  }

  private mutating func enter(_ key: Int32, _ place: Place) {
    places[Int(key)] = place
    if place == .small {
      lists.pushHead(Self.small, key)
      smallUsed += Int(weights[Int(key)])
    } else {
      lists.pushHead(Self.main, key)
      mainUsed += Int(weights[Int(key)])
    }
  }

  private mutating func evict() {
    hasEvicted = true
    var moves = settings.moves
    while true {
      let fromSmall = smallUsed >= smallTarget || mainUsed == 0
      if fromSmall ? evictSmall(force: moves <= 0) : evictMain(force: moves <= 0) { return }
      moves -= 1
    }
  }

  private mutating func evictSmall(force: Bool) -> Bool {
    guard let key = lists.tail(Self.small) else { return true }
    lists.unlink(key)
    smallUsed -= Int(weights[Int(key)])
    if hits[Int(key)] >= settings.promotion, !force {
      hits[Int(key)] = 0
      enter(key, .main)
      return false
    }
    remember(key)
    return true
  }

  private mutating func evictMain(force: Bool) -> Bool {
    guard let key = lists.tail(Self.main) else { return true }
    if hits[Int(key)] > 0, !force {
      hits[Int(key)] -= 1
      lists.moveToHead(Self.main, key)
      return false
    }
    lists.unlink(key)
    mainUsed -= Int(weights[Int(key)])
    places[Int(key)] = .out
    return true
  }

  private mutating func remember(_ key: Int32) {
    places[Int(key)] = .ghost
    lists.pushHead(Self.ghost, key)
    ghosts += 1
    if ghosts > ghostLimit, let oldest = lists.tail(Self.ghost) { forget(oldest) }
  }

  private mutating func forget(_ key: Int32) {
    lists.unlink(key)
    places[Int(key)] = .out
    ghosts -= 1
  }
}
