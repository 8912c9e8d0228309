import FreshStoreTesting

/// Writes what programs do with local writes beyond writing them, in place of some events of a script: in
/// half of the scripts nothing, so that those stay what they would be without it.
struct LocalWriter {
  private var generator: SeededGenerator
  /// How many events in a hundred it replaces.
  private let density: Int
  /// The events that follow from earlier ones.
  private var sequel: [Operation] = []
  private var values = 0
  var stores = 1

  init(seed: UInt64) {
    // The same number determines all else.
    generator = SeededGenerator(seed: seed ^ 0x10ca_1b17)
    density = [0, 0, 8, 20][Int.random(in: 0..<4, using: &generator)]
  }

  /// `nil` where the plain event stays.
  mutating func next(_ key: String, value: inout Int) -> Operation? {
    guard density > 0 else { return nil }
    values = value
    defer { value = values }
    if sequel.isEmpty, chance(density) {
      if chance(60) { return operation(key) }
      sequel = scene(key)
    }
    // Events that should coincide may be interrupted by any other event, too.
    return sequel.isEmpty || chance(10) ? nil : sequel.removeFirst()
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func value() -> Int {
    values += 1
    return values
  }

  private mutating func store() -> Int { Int.random(in: 0..<stores, using: &generator) }

  private mutating func operation(_ key: String) -> Operation {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<3: .open(store: store(), key: key)
    case 3..<7: save(key)
    default: .increment(store: store(), key: key)
    }
  }

  private mutating func save(_ key: String) -> Operation {
    .save(
      store: store(), key: key, value: value(), isDeletion: chance(15), coalesces: chance(30))
  }

  private mutating func put(_ key: String) -> Operation {
    .put(store: store(), key: key, value: value(), lifetime: .long, isTagged: nil)
  }

  /// Events that fail only in a certain order.
  private mutating func scene(_ key: String) -> [Operation] {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      // Another version comes while a form is open.
      return [put(key), .open(store: store(), key: key), put(key), save(key)]
        + [.push(store: store(), count: 2), .settle(which: 0, reply: .accepted)]
    case 1:
      // Two forms were opened on one version.
      return [put(key), .open(store: store(), key: key), save(key), save(key)]
        + [.push(store: store(), count: 1), .settle(which: 0, reply: .accepted)]
        + [.push(store: store(), count: 1)]
    case 2:
      // A merge meets a write that was made from another version.
      return [put(key), .open(store: store(), key: key), .increment(store: store(), key: key)]
        + [.increment(store: store(), key: key), save(key), .push(store: store(), count: 1)]
        + [.settle(which: 0, reply: .conflict(value()))]
    default:
      return (0..<3).map { _ in Operation.increment(store: store(), key: key) }
        + [.push(store: store(), count: 1), .settle(which: 0, reply: .accepted)]
    }
  }
}
