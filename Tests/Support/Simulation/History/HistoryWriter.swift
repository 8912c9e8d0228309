import FreshStoreTesting

/// Writes the script of a seed.
struct HistoryWriter: SeededWriter {
  var generator: SeededGenerator
  private var setting: HistorySetting
  private var lastRecord = 0
  private var isOffline = false
  private var time = 600
  private var stepped = 0
  /// The events that follow from earlier ones.
  private var sequel: [HistoryOperation] = []
  private var local: HistoryLocalWriter
  private var fleet: HistoryFleetWriter

  private static let length = 40

  init(seed: UInt64) {
    // The same number determines a script of the other kind.
    generator = SeededGenerator(seed: seed ^ 0x5ca1_ab1e)
    local = HistoryLocalWriter(seed: seed)
    fleet = HistoryFleetWriter(seed: seed)
    setting = HistorySetting(
      stores: 1, conflicts: .remote, timeout: 300, isGuarded: false, awaitsRule: false,
      hasTwins: false, longestCut: 0)
    setting.stores = chance(60) ? 2 : 1
    setting.conflicts = pick(HistorySetting.Conflicts.allCases)
    setting.timeout = chance(20) ? 7 : 300
    setting.isGuarded = chance(40)
    setting.awaitsRule = chance(25)
    setting.trouble = chance(12) ? pick(HistorySetting.Trouble.allCases) : nil
    setting.hasTwins = chance(15)
    setting.longestCut = pick([2, 8, 24])
    setting.isLoose = chance(12) ? true : nil
    setting.hasVariants = chance(12) ? true : nil
    if let hosts = fleet.setting {
      (setting.fleet, setting.stores) = (hosts, fleet.stores)
      // Hosts are trouble enough.
      setting.trouble = nil
      if fleet.failsOrigin { setting.isGuarded = true }
    }
  }

  mutating func script() -> HistoryScript {
    lastRecord = pick(Array(0..<Place.count))
    local.stores = setting.stores
    // A codec with sizes of its own would hide the one, and the largest value the other.
    if setting.isLoose != true, setting.trouble != .isTooLarge {
      setting.largeValues = local.largeValues
    }
    let steps = (0..<Self.length).map { _ in
      HistoryStep(
        nextOrLocal(), luck: UInt32.random(in: 1...UInt32.max, using: &generator),
        cut: chance(55) ? Int.random(in: 0...setting.longestCut, using: &generator) : nil)
    }
    return HistoryScript(setting: setting, steps: steps)
  }

  /// An event, or what a program does with its local writes, or what happens in a fleet, in place of it.
  private mutating func nextOrLocal() -> HistoryOperation {
    let plain = next()
    let event = local.next(lastRecord) ?? plain
    return fleet.next(lastRecord, inPlaceOf: event)
  }

  private mutating func next() -> HistoryOperation {
    if sequel.isEmpty, chance(4) { sequel = scene() }
    // Events that should coincide may be interrupted by any other event, too.
    return sequel.isEmpty || chance(15) ? operation() : sequel.removeFirst()
  }

  /// Events that fail only in a certain order: a question, a change that its answer does not contain, a mark
  /// that reports the change, and an operation that forgets or repeats meanwhile.
  private mutating func scene() -> [HistoryOperation] {
    if setting.trouble == .hangs, chance(50) { return queueBehindHanging() }
    let (record, store, other) = (record(), store(), store())
    let collection = Place.collection(record)
    let told: [HistoryOperation] = [
      .change(record: record), .mark(store: other, scope: covering(record)),
    ]
    switch Int.random(in: 0..<11, using: &generator) {
    case 0:
      return [.get(store: store, record: record, isForced: true)] + told
        + [.sweep(store: other), .answer(.fetch, which: 0, .asAsked)]
    case 1:
      return [.follow(store: store, collection: collection)] + told
        + [.sweep(store: other), .answer(.list, which: 0, .asAsked)]
    case 2:
      return [write(store, record), .push(store: store, count: 1)]
        + [.answer(.push, which: 0, .lost)] + told
        + [.advance(2), .push(store: other, count: 1), .answer(.push, which: 0, .now)]
    case 3:
      return [.get(store: store, record: record, isForced: true), .change(record: record)]
        + [.follow(store: other, collection: collection), .answer(.list, which: 0, .now)]
        + [.answer(.fetch, which: 0, .asAsked)]
    case 4:
      return [.follow(store: store, collection: collection), .answer(.list, which: 0, .now)]
        + [write(other, record), .drop(which: 0)]
    case 5:
      return [.follow(store: store, collection: collection), .answer(.list, which: 0, .now)]
        + [.cancelFollowing(store: store)]
    case 6:
      return [.run(store: store), .mark(store: other, scope: scope()), .advance(12), .lock]
        + [.advance(2)]
    case 7:
      // A copy is replaced between a question about it and its confirmation.
      return [.get(store: store, record: record, isForced: true), .answer(.fetch, which: 0, .now)]
        + [.get(store: store, record: record, isForced: true), .change(record: record)]
        + [.advance(1), .take(store: other, record: record, age: 0)]
        + [.answer(.fetch, which: 0, .asAsked), .get(store: other, record: record, isForced: true)]
    case 8:
      // A list reports that a record is gone while another question about it is in flight.
      return [.follow(store: store, collection: collection), .answer(.list, which: 0, .now)]
        + [.follow(store: other, collection: collection)]
        + [.get(store: store, record: record, isForced: true), .erase(record: record)]
        + [.answer(.list, which: 0, .now), .answer(.fetch, which: 0, .asAsked)]
        + [.follow(store: store, collection: collection), .answer(.list, which: 0, .now)]
        + [.get(store: store, record: record, isForced: false)]
    case 9:
      // A list names a record that another question, or a write, has found missing.
      let asking: [HistoryOperation] =
        chance(50)
        ? [.get(store: store, record: record, isForced: true)]
        : [write(store, record), .push(store: store, count: 1)]
      return [.follow(store: store, collection: collection), .answer(.list, which: 0, .now)]
        + [.erase(record: record), .follow(store: store, collection: collection)]
        + [.answer(.list, which: 0, .now)] + asking + [.change(record: record)]
        + [.follow(store: other, collection: collection), .answer(.list, which: 0, .now)]
        + [.answer(.fetch, which: 0, .asAsked), .answer(.push, which: 0, .now)]
    default:
      return [write(store, record), .change(record: record), .push(store: store, count: 1)]
        + [write(other, record), .answer(.push, which: 0, .now), write(other, record)]
        + [.answer(.resolver, which: 0, .now)]
    }
  }

  /// More writes than may be sent at once to a hanging source, and two of one record elsewhere.
  private mutating func queueBehindHanging() -> [HistoryOperation] {
    let (store, record) = (store(), pick(Array(Place.records(of: 0))))
    let hanging = Place.records(of: 1).map { write(store, $0) }
    let good = HistoryOperation.write(
      store: store, record: record, coalesces: false, isDeletion: false)
    return hanging + [.run(store: store), good, good]
  }

  private func write(_ store: Int, _ record: Int) -> HistoryOperation {
    .write(store: store, record: record, coalesces: true, isDeletion: false)
  }

  /// Mostly the record of the last event, so that many events coincide.
  private mutating func record() -> Int {
    if chance(25) { lastRecord = pick(Array(0..<Place.count)) }
    return lastRecord
  }

  private mutating func collection() -> Int {
    chance(80) ? Place.collection(lastRecord) : pick([0, 1])
  }
  private mutating func store() -> Int { Int.random(in: 0..<setting.stores, using: &generator) }
  private mutating func which() -> Int { Int.random(in: 0..<3, using: &generator) }

  private mutating func operation() -> HistoryOperation {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<12: .get(store: store(), record: record(), isForced: chance(25))
    case 12..<13: .getAll(store: store(), collection: collection())
    case 13..<14: .cancelGets(store: store())
    case 14..<22: .mark(store: store(), scope: scope())
    case 22..<24: .put(store: store(), record: record())
    case 24..<27: removal()
    case 27..<31: .sweep(store: store())
    case 31..<33: .take(store: store(), record: record(), age: pick([0, 1, 1, 2, 3]))
    case 33..<41:
      .write(store: store(), record: record(), coalesces: chance(70), isDeletion: chance(15))
    case 41..<45: .push(store: store(), count: pick([1, 2]))
    case 45..<46: chance(50) ? .retry : .drop(which: which())
    case 46..<51: .follow(store: store(), collection: collection())
    case 51..<52: .cancelFollowing(store: store())
    case 52..<54: chance(70) ? .run(store: store()) : .stop(store: store())
    case 54..<63: source()
    case 63..<87: answer()
    default: trouble()
    }
  }

  private mutating func scope() -> HistoryOperation.Scope {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0..<2: .record(record())
    case 2..<4: .tag
    case 4: .prefix(collection: collection())
    default: .collection(collection())
    }
  }

  /// A mark that covers a record without naming it.
  private mutating func covering(_ record: Int) -> HistoryOperation.Scope {
    let collection = Place.collection(record)
    let scopes: [HistoryOperation.Scope] = [
      .tag, .prefix(collection: collection), .collection(collection),
    ]
    return pick(scopes.filter { Place.covers($0, record) })
  }

  private mutating func removal() -> HistoryOperation {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0..<4: .remove(store: store(), record: record())
    case 4: .removeAll(store: store(), collection: collection())
    default: .prune(store: store(), leaves: pick([0, 2, 5]))
    }
  }

  private mutating func source() -> HistoryOperation {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<8: .change(record: record())
    case 8: .erase(record: record())
    default:
      Place.isListable(lastRecord) ? .relist(record: lastRecord) : .change(record: lastRecord)
    }
  }

  private mutating func answer() -> HistoryOperation {
    let kind: HistoryOperation.Request =
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<8: .fetch
      case 8..<13: .push
      case 13..<17: .list
      case 17..<19: .resolver
      default: .rule
      }
    if kind == .push, chance(25) { return .arrive(which: which()) }
    return .answer(kind, which: which(), manner(kind))
  }

  private mutating func manner(_ kind: HistoryOperation.Request) -> HistoryOperation.Manner {
    switch kind {
    case .fetch, .list: chance(10) ? .failed : chance(55) ? .asAsked : .now
    case .push: chance(60) ? .now : pick([.lost, .lost, .failed, .refused])
    case .resolver: .now
    case .rule: chance(85) ? .now : .refused
    }
  }

  private mutating func trouble() -> HistoryOperation {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<11: return advance()
    case 11: return .suspend(pick([3, 30, 7200]))
    case 12: return stepWall()
    case 13..<16:
      isOffline.toggle()
      return .network(isOffline: isOffline)
    case 16..<18: return .kill(store: store())
    case 18: return .lock
    default: return advance()
    }
  }

  private mutating func advance() -> HistoryOperation {
    let seconds = min(time, pick([1, 1, 2, 2, 4, 6, 12]))
    time -= seconds
    return .advance(seconds)
  }

  /// Ahead, and mostly back again.
  private mutating func stepWall() -> HistoryOperation {
    let seconds =
      stepped != 0 && chance(70) ? -stepped : pick([-3, 3, -7200, 7200, 200_000, -200_000])
    stepped += seconds
    return .stepWall(seconds)
  }
}

extension HistoryScript {
  /// The script of a seed.
  public init(seed: UInt64) {
    var writer = HistoryWriter(seed: seed)
    self = writer.script()
  }
}
