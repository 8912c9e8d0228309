import FreshStoreTesting

/// Writes what happens between hosts and what they share, in place of some events of a history: three histories in four
/// have one host, and stay what they would be without it.
struct HistoryFleetWriter: SeededWriter {
  var generator: SeededGenerator
  /// The hosts; `nil` for one alone.
  private(set) var setting: HistoryFleetSetting?
  /// The number of stores: one on each host, and sometimes a second one on the first.
  private(set) var stores = 1
  /// The events that follow from earlier ones.
  private var sequel: [HistoryOperation] = []
  /// True until an origin fails one host in the first scene of a history whose origins are guarded.
  private(set) var failsOrigin = false

  init(seed: UInt64) {
    // The same number determines all else.
    generator = SeededGenerator(seed: seed ^ 0xf1ee_7a11)
    guard chance(25) else { return }
    let hosts = chance(60) ? 2 : 3
    let clocks = (0..<hosts).map { host in
      host == 0 ? 0 : pick([-3600, -1500, -120, 120, 900, 3600])
    }
    setting = HistoryFleetSetting(
      clocks: clocks, keepsMarks: chance(50), newsLimit: pick([1, 2, 1000]),
      longestAlone: chance(15) ? 30 : nil)
    // Nothing is drawn for it, so that all else stays as it was.
    if seed % 4 == 0 { setting?.withheld = Int(seed / 4 % UInt64(Place.count)) }
    failsOrigin = seed % 5 == 1
    stores = hosts + (chance(40) ? 1 : 0)
  }

  private var hosts: Int { setting?.clocks.count ?? 1 }

  /// The event at a place of the history.
  mutating func next(_ record: Int, inPlaceOf plain: HistoryOperation) -> HistoryOperation {
    guard setting != nil else { return plain }
    if sequel.isEmpty, chance(12) {
      sequel = scene(record)
      if failsOrigin { (sequel, failsOrigin) = (failure(record), false) }
    }
    // Events that should coincide may be interrupted by any other event, too.
    if !sequel.isEmpty, !chance(12) { return sequel.removeFirst() }
    if chance(12) { return .fleet(event()) }
    return plain
  }

  private mutating func host() -> Int { Int.random(in: 0..<hosts, using: &generator) }
  private mutating func store() -> Int { Int.random(in: 0..<stores, using: &generator) }

  private mutating func event() -> HistoryFleetEvent {
    switch Int.random(in: 0..<21, using: &generator) {
    case 0..<6:
      .disturb(host: host(), pick(HistoryFleetEvent.Fate.allCases), calls: pick([1, 1, 2, 3]))
    case 6..<8: .cut(host: host(), pick(HistoryFleetEvent.Direction.allCases))
    case 8..<11: .join(host: host())
    case 11..<14: .deliver(which: pick([0, 1, 2]))
    case 14: .deafen(host: host(), isDeaf: chance(60))
    case 15: .doze(host: host(), isDozing: chance(50))
    case 16: .stepWall(host: host(), seconds: pick([-3600, -60, 60, 3600]))
    case 17: .trim(leaves: pick([1, 2, 4]))
    case 18: .save
    case 19: .refuse(host: host(), isRefusing: chance(60))
    default: pick([.restore, .restore, .empty])
    }
  }

  /// Events that fail only in a certain order.
  private mutating func scene(_ record: Int) -> [HistoryOperation] {
    let (one, cut) = (store(), pick(HistoryFleetEvent.Direction.allCases))
    // Of another host.
    let other = (one % hosts + 1) % hosts
    let (here, there) = (one % hosts, other)
    let asks = HistoryOperation.get(store: one, record: record, isForced: false)
    let asksThere = HistoryOperation.get(store: other, record: record, isForced: false)
    let answer = HistoryOperation.answer(.fetch, which: 0, .now)
    let late = HistoryOperation.answer(.fetch, which: 0, .asAsked)
    let marks: [HistoryOperation] = [
      .change(record: record), .mark(store: one, scope: .record(record)),
    ]
    // Both have it.
    let shared: [HistoryOperation] = [asks, answer, asksThere, .advance(1)]
    let isAway: [HistoryOperation] = [.fleet(.cut(host: there, cut)), .advance(1), .advance(1)]
    switch Int.random(in: 0..<13, using: &generator) {
    case 0: return chain(shared, marks, [.advance(1), asksThere, answer])
    case 1:
      // Away during marks, and back.
      return chain(
        shared, isAway, marks, marks,
        [asksThere, .fleet(.join(host: there)), asksThere, answer])
    case 2:
      // The same, and the journal does not reach back as far.
      return chain(
        shared, isAway, marks, marks,
        [.fleet(.trim(leaves: 1)), .fleet(.join(host: there)), asksThere, answer])
    case 3:
      // The owner of a lease wakes up after its end, when another one has it.
      return [
        asks, .change(record: record), .suspend(30), asksThere, .answer(.fetch, which: 1, .now),
        late, asksThere, .advance(1), asksThere,
      ]
    case 4:
      // The same of a host whose alarms do not ring.
      return [
        .fleet(.doze(host: here, isDozing: true)), asks, .change(record: record), .advance(4),
        .advance(4), asksThere, .answer(.fetch, which: 1, .now), late,
        .fleet(.doze(host: here, isDozing: false)), .advance(1), asksThere,
      ]
    case 5:
      // Two ask at the same time.
      return [asks, asksThere, .advance(1), answer, .advance(1), answer]
    case 6:
      // The tier forgets what was marked.
      return chain(
        shared, [.fleet(.save)], marks, [.fleet(.restore), .advance(1), asksThere, answer])
    case 7:
      return chain(shared, marks, [.fleet(.empty), .advance(1), asks, answer, asksThere])
    case 8:
      // A mark is made, and its maker does not know.
      return chain(
        shared, [.fleet(.disturb(host: here, .answerLost, calls: 1))], marks,
        [.advance(1), asksThere, answer])
    case 9:
      // The fetched value comes to the tier after the mark that covers it.
      return [
        asks, .fleet(.disturb(host: here, .requestLate, calls: 1)), late,
        .change(record: record), .mark(store: other, scope: .record(record)),
        .fleet(.deliver(which: 0)), asksThere, answer,
      ]
    case 10:
      // Marks are made while their host is away.
      return chain(
        shared, [.fleet(.cut(host: here, cut)), .advance(1), .advance(1)], marks,
        [.kill(store: one), .fleet(.join(host: here)), .advance(1), asksThere, answer])
    case 11:
      // The same, and they are not taken; another host marks meanwhile.
      return chain(
        shared, [.fleet(.cut(host: here, cut)), .advance(1), .advance(1)], marks,
        [
          .change(record: record), .mark(store: other, scope: .record(record)),
          .fleet(.refuse(host: here, isRefusing: true)), .fleet(.join(host: here)), .advance(1),
          asks, answer, .fleet(.refuse(host: here, isRefusing: false)), .advance(1), asks,
        ])
    default:
      // A mark comes again, and an answer from before another one.
      return chain(
        shared, [.fleet(.disturb(host: here, .repeated, calls: 2))], marks,
        [asksThere, .fleet(.disturb(host: there, .answerLate, calls: 1)), asksThere], marks,
        [.fleet(.deliver(which: 0)), .fleet(.deliver(which: 0)), answer])
    }
  }

  /// An origin fails one host more often than opens its breaker, as an answer may come before its question, and another
  /// host has need of it.
  private func failure(_ record: Int) -> [HistoryOperation] {
    let collection = Place.collection(record)
    let asks = HistoryOperation.get(store: 0, record: record, isForced: true)
    let fails: [HistoryOperation] = [asks, .answer(.fetch, which: 0, .failed)]
    let others = Place.records(of: collection).filter { $0 != record }.map { other in
      HistoryOperation.get(store: 1, record: other, isForced: false)
    }
    return chain(
      fails, fails, fails, fails, [.advance(1)], Array(others.prefix(2)), others)
  }

  private func chain(_ parts: [HistoryOperation]...) -> [HistoryOperation] {
    Array(parts.joined())
  }
}
