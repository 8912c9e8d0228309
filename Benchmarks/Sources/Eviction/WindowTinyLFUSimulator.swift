/// W-TinyLFU: an LRU window of 1 %, a segmented LRU for the rest, and a frequency sketch that
/// decides whether an entry that leaves the window may replace one that leaves the main part.
struct WindowTinyLFUSimulator: CacheSimulator {
  private static let window = 0
  private static let probation = 1
  private static let protected = 2

  private enum Place: UInt8 { case out, window, probation, protected }

  private var lists: LinkedKeys
  private var places: [Place]
  private var weights: [Int32]
  private var sketch: FrequencySketch
  private var used = [0, 0, 0]
  private let windowTarget: Int
  private let mainTarget: Int
  private let protectedTarget: Int

  init(_ configuration: SimulatorConfiguration) {
    let universe = configuration.universe
    lists = LinkedKeys(universe: universe, lists: 3)
    places = Array(repeating: .out, count: universe)
    weights = Array(repeating: 0, count: universe)
    sketch = FrequencySketch(expectedEntries: configuration.expectedEntries)
    windowTarget = max(1, configuration.capacity / 100)
    mainTarget = configuration.capacity - windowTarget
    protectedTarget = mainTarget / 5 * 4
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    sketch.add(key)
    if places[Int(key)] != .out {
      hit(key)
      return true
    }
    guard weight <= mainTarget else { return false }
    weights[Int(key)] = Int32(weight)
    enter(key, .window)
    while used[Self.window] > windowTarget, let candidate = lists.tail(Self.window) {
      leave(candidate)
      admit(candidate)
    }
    return false
  }

  private mutating func hit(_ key: Int32) {
    let place = places[Int(key)]
    leave(key)
    enter(key, place == .window ? .window : .protected)
    while used[Self.protected] > protectedTarget, let oldest = lists.tail(Self.protected) {
      leave(oldest)
      enter(oldest, .probation)
    }
  }

  private mutating func admit(_ candidate: Int32) {
    let weight = Int(weights[Int(candidate)])
    let frequency = sketch.estimate(candidate)
    while used[Self.probation] + used[Self.protected] + weight > mainTarget {
      guard let victim = lists.tail(Self.probation) ?? lists.tail(Self.protected) else { return }
      guard frequency > sketch.estimate(victim) else { return }
      leave(victim)
    }
    enter(candidate, .probation)
  }

  private mutating func enter(_ key: Int32, _ place: Place) {
    let list = Int(place.rawValue) - 1
    places[Int(key)] = place
    lists.pushHead(list, key)
    used[list] += Int(weights[Int(key)])
  }

  private mutating func leave(_ key: Int32) {
    used[Int(places[Int(key)].rawValue) - 1] -= Int(weights[Int(key)])
    lists.unlink(key)
    places[Int(key)] = .out
  }
}
