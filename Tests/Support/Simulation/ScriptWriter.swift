import FreshStore
import FreshStoreTesting

/// Writes the script of a seed.
struct ScriptWriter: SeededWriter {
  var generator: SeededGenerator
  private var setting: Setting
  private var values = 0
  /// The seconds that may still pass: without a timeout in the setting no fetch may reach one.
  private var time = 900
  private var isOffline = false
  private var lastKey = Self.keys[0]
  private var local: LocalWriter

  static let keys = ["a1", "a2", "b"]
  private static let length = 40

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    local = LocalWriter(seed: seed)
    setting = Setting(stores: 1, gate: .cacheFirst, conflicts: .serverWins, retryPause: 0)
    setting = Setting(
      stores: chance(70) ? 2 : 1, gate: pick(Setting.Gate.allCases),
      conflicts: pick(Setting.Conflicts.allCases), retryPause: pick([0, 4, 30]),
      timeout: chance(40) ? pick([3, 7]) : nil, isGuarded: chance(40))
  }

  /// The script.
  mutating func script() -> Script {
    local.stores = setting.stores
    setting.largeValues = local.largeValues
    let steps = (0..<Self.length).map { index in
      Step(
        next(), luck: UInt32.random(in: 1...UInt32.max, using: &generator),
        joins: index > 0 && chance(25))
    }
    return Script(setting: setting, steps: steps)
  }

  /// An event, or what a program does with its local writes in place of it.
  private mutating func next() -> Operation {
    let plain = operation()
    return local.next(lastKey, value: &values) ?? plain
  }

  private mutating func value() -> Int {
    values += 1
    return values
  }

  /// Often the key of the last event, so that many events coincide.
  private mutating func key() -> String {
    if chance(50) { lastKey = pick(Self.keys) }
    return lastKey
  }

  private mutating func store() -> Int { Int.random(in: 0..<setting.stores, using: &generator) }
  private mutating func which() -> Int { Int.random(in: 0..<4, using: &generator) }
  private mutating func isTagged() -> Bool? { pick([nil, true, false]) }

  private mutating func operation() -> Operation {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<16: .get(store: store(), key: key(), how: chance(60) ? .plain : pick(How.allCases))
    case 16..<20: getAll()
    case 20..<37:
      .answer(
        key: key(), which: which(), reply: reply(), others: chance(70) ? reply() : nil)
    case 37..<38: .answerLate(which: which(), reply: reply())
    case 38..<40: .cancel(store: store(), key: key())
    case 40..<47:
      .put(
        store: store(), key: key(), value: value(), lifetime: pick(Lifetime.allCases),
        isTagged: isTagged())
    case 47..<50: .remove(store: store(), key: key())
    case 50..<56: .mark(store: store(), scope: scope())
    case 56..<64: write()
    case 64..<68: .push(store: store(), count: pick([1, 2]))
    case 68..<76: .settle(which: which(), reply: pushReply())
    case 76..<79: .drain(store: store())
    case 79..<80: .retry(which: which())
    case 80..<81: .drop(which: which())
    case 81..<84: .sweep(store: store())
    default: trouble()
    }
  }

  private mutating func getAll() -> Operation {
    let left = chance(40) ? nil : pick(Self.keys)
    let keys = Self.keys.filter { $0 != left }
    return .getAll(
      store: store(), keys: keys,
      how: chance(60) ? .plain : pick([.refresh, .sourceFirst, .sourceOnly, .strict, .cacheOnly]))
  }

  private mutating func trouble() -> Operation {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0..<7: advance()
    case 7: .stepWall(pick([-4000, -30, -3, 3, 30, 4000]))
    case 8: .suspend(pick([3, 7, 30, 7200]))
    case 9: chance(50) ? .reboot(pick([0, 5, 60])) : advance()
    case 10..<13: network()
    case 13: .reopen(store: store())
    default: .kill(store: store())
    }
  }

  private mutating func advance() -> Operation {
    let seconds = min(time, pick([1, 1, 2, 2, 4, 6, 12]))
    time -= seconds
    return .advance(seconds)
  }

  private mutating func network() -> Operation {
    isOffline.toggle()
    return .network(isOffline: isOffline)
  }

  private mutating func reply() -> Reply {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<5: .value(value(), pick(Lifetime.allCases), isTagged: isTagged())
    case 5..<7: .unchanged(pick(Lifetime.allCases))
    case 7: .gone
    default: .failure
    }
  }

  private mutating func pushReply() -> PushReply {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4: .accepted
    case 4: .changed(value())
    case 5: .refused
    case 6..<8: .failure
    default: .conflict(chance(70) ? value() : nil)
    }
  }

  private mutating func scope() -> Scope {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0..<3: .key(key())
    case 3: .tag
    case 4: .prefix(pick(["a", "a1", "b"]))
    default: .collection
    }
  }

  private mutating func write() -> Operation {
    .write(
      store: store(), key: key(), kind: pick([.create, .replace, .replace, .delete]),
      value: value(), coalesces: chance(50))
  }
}

extension Script {
  /// The script of a seed.
  public init(seed: UInt64) {
    var writer = ScriptWriter(seed: seed)
    self = writer.script()
  }
}
