import FreshStoreTesting

/// Writes what programs do with local writes beyond writing them, in place of some events of a history: in
/// half of the histories nothing, so that those stay what they would be without it.
struct HistoryLocalWriter: SeededWriter {
  var generator: SeededGenerator
  /// How many events in a hundred it replaces.
  private let density: Int
  /// The events that follow from earlier ones.
  private var sequel: [HistoryOperation] = []
  var stores = 1
  /// The size of the large values in the history; mostly there are none.
  private(set) var largeValues: Int?

  init(seed: UInt64) {
    // The same number determines all else.
    generator = SeededGenerator(seed: seed ^ 0x10ca_11fe)
    density = [0, 0, 8, 20][Int.random(in: 0..<4, using: &generator)]
    largeValues = chance(5) ? LargeCodec.usualThreshold : nil
  }

  /// `nil` where the plain event stays.
  mutating func next(_ record: Int) -> HistoryOperation? {
    guard density > 0 else { return nil }
    if sequel.isEmpty, chance(density) {
      if chance(60) { return operation(record) }
      sequel = scene(record)
    }
    // Events that should coincide may be interrupted by any other event, too.
    return sequel.isEmpty || chance(15) ? nil : sequel.removeFirst()
  }

  private mutating func store() -> Int { Int.random(in: 0..<stores, using: &generator) }

  private mutating func operation(_ record: Int) -> HistoryOperation {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<3: .open(store: store(), record: record)
    case 3..<7: save(record)
    case 7..<10: .update(store: store(), record: record)
    case 10..<12: .correct(which: pick([0, 1, 2]))
    case 12: .hold(store: store(), collection: Place.collection(record))
    case 13: .release(store: store(), collection: Place.collection(record))
    case 14: .endPauses(store: store())
    case 15: chance(50) ? .wipe(store: store()) : .correct(which: 0)
    default:
      enqueue(record, priority: pick([-1, 0, 5]), after: chance(60) ? pick([0, 1, 2]) : nil)
    }
  }

  private mutating func enqueue(
    _ record: Int, priority: Int = 0, after: Int? = nil
  ) -> HistoryOperation {
    .enqueue(store: store(), record: record, priority: priority, after: after)
  }

  private mutating func save(_ record: Int) -> HistoryOperation {
    .save(store: store(), record: record, coalesces: chance(30), isDeletion: chance(15))
  }

  /// Events that fail only in a certain order.
  private mutating func scene(_ record: Int) -> [HistoryOperation] {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0:
      // Another version comes while a form is open, and the source has yet another one.
      return [.put(store: store(), record: record), .open(store: store(), record: record)]
        + [.change(record: record), .put(store: store(), record: record), save(record)]
        + [.push(store: store(), count: 1), .answer(.resolver, which: 0, .now)]
        + [.change(record: record), .answer(.push, which: 0, .now)]
    case 1:
      // Two forms were opened on one version.
      return [.put(store: store(), record: record), .open(store: store(), record: record)]
        + [save(record), save(record), .push(store: store(), count: 1)]
        + [.answer(.push, which: 0, .now), .push(store: store(), count: 1)]
        + [.answer(.resolver, which: 0, .now), .answer(.push, which: 0, .now)]
    case 2:
      // Two processes make a value from the same one.
      return [.put(store: store(), record: record), .update(store: store(), record: record)]
        + [.update(store: store(), record: record), .push(store: store(), count: 1)]
        + [.answer(.push, which: 0, pick([.now, .lost])), .push(store: store(), count: 1)]
    case 3:
      // One is to go before the other, of any collection, and does not go through at once.
      let other = pick(Array(0..<Place.count))
      return [enqueue(record), enqueue(other, priority: 5, after: pick([0, 1]))]
        + [.push(store: store(), count: 2)]
        + [.answer(.push, which: 0, pick([.now, .lost, .failed, .refused]))]
        + [.push(store: store(), count: 2)]
    case 4:
      // A merge leaves the write behind that comes after another one.
      let other = pick(Array(0..<Place.count))
      return [enqueue(other), enqueue(record), enqueue(record, after: 0)]
        + [.change(record: record), .push(store: store(), count: 2)]
        + [.answer(.push, which: 1, .now), .answer(.resolver, which: 0, .now)]
        + [.answer(.push, which: 0, .now), .push(store: store(), count: 2)]
    case 5:
      // A write is refused, and corrected; another one came after it.
      return [enqueue(record), .update(store: store(), record: record)]
        + [.push(store: store(), count: 1), .answer(.push, which: 0, pick([.refused, .lost]))]
        + [.correct(which: 0), .push(store: store(), count: 1), .answer(.push, which: 0, .now)]
    case 6:
      // The origin is held while a synchronizer runs and a request is in flight.
      let collection = Place.collection(record)
      return [.run(store: store()), enqueue(record), .hold(store: store(), collection: collection)]
        + [
          .get(store: store(), record: record, isForced: false), .answer(.push, which: 0, .failed),
        ]
        + [.advance(2), .update(store: store(), record: record), .advance(12)]
        + [.release(store: store(), collection: collection)]
    case 7:
      // A wipe comes while requests are in flight in both directions, and a conflict is resolved.
      return [.get(store: store(), record: record, isForced: true), enqueue(record)]
        + [
          .change(record: record), .push(store: store(), count: 1), .answer(.push, which: 0, .now),
        ]
        + [.wipe(store: store()), .answer(.resolver, which: 0, .now)]
        + [.get(store: store(), record: record, isForced: false)]
        + [.answer(.fetch, which: 0, .asAsked), .answer(.push, which: 0, .now)]
    default:
      // Something is written while a conflict is resolved.
      return [.open(store: store(), record: record), .update(store: store(), record: record)]
        + [.change(record: record), .push(store: store(), count: 1)]
        + [.answer(.push, which: 0, .now), save(record), .answer(.resolver, which: 0, .now)]
    }
  }
}
