import FreshStoreTesting

/// Writes what programs do with local writes beyond writing them, in place of some events of a script: in
/// half of the scripts nothing, so that those stay what they would be without it.
struct LocalWriter: SeededWriter {
  var generator: SeededGenerator
  /// How many events in a hundred it replaces.
  private let density: Int
  /// The events that follow from earlier ones.
  private var sequel: [Operation] = []
  private var values = 0
  var stores = 1
  /// The size of the large values in the script; mostly there are none.
  private(set) var largeValues: Int?

  init(seed: UInt64) {
    // The same number determines all else.
    generator = SeededGenerator(seed: seed ^ 0x10ca_1b17)
    density = [0, 0, 8, 20][Int.random(in: 0..<4, using: &generator)]
    largeValues = chance(5) ? LargeCodec.usualThreshold : nil
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

  private mutating func value() -> Int {
    values += 1
    return values
  }

  private mutating func store() -> Int { Int.random(in: 0..<stores, using: &generator) }

  private mutating func operation(_ key: String) -> Operation {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<3: .open(store: store(), key: key)
    case 3..<7: save(key)
    case 7..<10: .increment(store: store(), key: key)
    case 10..<12: correct()
    case 12: .hold(store: store(), origin: origin())
    case 13: .release(store: store(), origin: origin())
    case 14: .endPauses(store: store())
    case 15: chance(50) ? .wipe(store: store()) : correct()
    default: enqueue(key, priority: pick([-1, 0, 5]), after: chance(50) ? pick([0, 1, 2]) : nil)
    }
  }

  private mutating func enqueue(_ key: String, priority: Int = 0, after: Int? = nil) -> Operation {
    .enqueue(
      store: store(), key: key, value: value(), coalesces: chance(30), priority: priority,
      after: after)
  }

  private mutating func origin() -> String {
    chance(70) ? Setting.origin : Setting.mirror
  }

  private mutating func correct() -> Operation {
    .correct(which: pick([0, 1, 2]), value: value())
  }

  private mutating func other(than key: String) -> String {
    pick(ScriptWriter.keys.filter { $0 != key })
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
    switch Int.random(in: 0..<13, using: &generator) {
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
    case 3:
      // The later write is more urgent.
      return [enqueue(key), enqueue(other(than: key), priority: 5)]
        + [.push(store: store(), count: 1), .settle(which: 0, reply: pick([.accepted, .failure]))]
        + [.advance(2), .push(store: store(), count: 1)]
    case 4:
      // One is to go before the other, and does not go through at once.
      return [enqueue(key), enqueue(other(than: key), priority: 5, after: pick([0, 1]))]
        + [.push(store: store(), count: 2), .settle(which: 0, reply: pick([.accepted, .refused]))]
        + [.push(store: store(), count: 2)]
    case 5:
      // A merge meets a write that comes after another one.
      let other = other(than: key)
      return [put(key), enqueue(other), enqueue(key), enqueue(key, after: 0)]
        + [enqueue(other, after: 1), .push(store: store(), count: 2)]
        + [.settle(which: 1, reply: .conflict(value())), .push(store: store(), count: 2)]
    case 6:
      // A write is refused, and corrected; others came after it.
      return [enqueue(key), enqueue(key), .push(store: store(), count: 1)]
        + [.settle(which: 0, reply: .refused), .correct(which: 0, value: value())]
        + [.push(store: store(), count: 1)]
    case 7:
      // It is corrected while the source still has to answer, and nobody waits for that any more.
      return [put(key), enqueue(key), .push(store: store(), count: 1), .suspend(7200), correct()]
        + [.settle(which: 0, reply: pick([.accepted, .conflict(value())]))]
        + [.push(store: store(), count: 1)]
    case 8:
      // The origin is held while a push is in flight, and a get follows.
      return [enqueue(key), .push(store: store(), count: 1)]
        + [.hold(store: store(), origin: Setting.origin), .settle(which: 0, reply: .failure)]
        + [.get(store: store(), key: other(than: key), how: .plain), .drain(store: store())]
        + [.release(store: store(), origin: Setting.origin), .push(store: store(), count: 1)]
    case 9:
      // Pauses end while something pauses.
      return [enqueue(key), .push(store: store(), count: 1), .settle(which: 0, reply: .failure)]
        + [.push(store: store(), count: 1), .endPauses(store: store())]
        + [.push(store: store(), count: 1)]
    case 10:
      // A wipe comes while requests are in flight in both directions.
      let other = other(than: key)
      return [enqueue(key), .get(store: store(), key: other, how: .refresh)]
        + [.push(store: store(), count: 1), .wipe(store: store())]
        + [.get(store: store(), key: other, how: .plain), .settle(which: 0, reply: .accepted)]
        + [.answer(key: other, which: 0, reply: .value(value(), .long, isTagged: nil), others: nil)]
    case 11:
      // A form is opened on a write that its source changes.
      return [enqueue(key), .open(store: store(), key: key), .push(store: store(), count: 1)]
        + [.settle(which: 0, reply: .changed(value())), save(key)]
        + [.push(store: store(), count: 1), .settle(which: 0, reply: .accepted)]
    default:
      return (0..<3).map { _ in Operation.increment(store: store(), key: key) }
        + [.push(store: store(), count: 1), .settle(which: 0, reply: .accepted)]
    }
  }
}
