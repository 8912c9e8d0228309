import FreshStore
import Strategies

/// The observable state of a world, or of a model.
struct Sight: Hashable {
  /// The result of a read of each key, store by store.
  var readings: [String] = []
  var outbox: [String] = []
  var fetches: [SimulatedSource.Question] = []
  var pushes: [SimulatedSource.PushQuestion] = []
  var results: [Int: String] = [:]

  init() {}

  /// The observable state of a world.
  init(of world: World, results: [Int: String]) throws {
    self.results = results
    fetches = world.source.fetches.map(\.question)
    pushes = world.source.pushes.map(\.question)
    for (number, life) in world.lives.enumerated() {
      for key in ScriptWriter.keys {
        let reading = try life.records.read(key)
        readings.append(
          Self.words(number, key, "\(reading.decision.outcome)", reading.copy?.value))
      }
      for how in [How.plain, .sourceFirst] {
        let policy = world.setting.policy(how)
        let until = try life.records.explain("b", policy: policy).originIsDownUntil
        readings.append(
          Self.sourceWords(
            number, how, route: life.records.reachability(policy: policy).code,
            downUntil: until?.millisecondsSinceEpoch))
      }
    }
    outbox = try world.lives[0].store.outbox().map { entry in
      "\(entry.id) \(entry.key) \(entry.kind) \(entry.state), sent \(entry.attempts) times"
        + Self.words(priority: entry.priority, after: entry.after)
    }
  }

  /// The observable state of a model.
  init(of model: Model) {
    results = model.results
    fetches = model.attempts.map(\.question)
    pushes = model.pushes.map(\.question)
    for number in model.processes.indices {
      for key in ScriptWriter.keys {
        let look = model.look(key)
        readings.append(Self.words(number, key, "\(look.outcome)", look.value))
      }
      for how in [How.plain, .sourceFirst] { readings.append(model.sourceWords(number, how)) }
    }
    outbox = model.entries.flatMap { key, entries in entries.map { (key, $0) } }
      .sorted { $0.1.id < $1.1.id }.map { key, entry in
        let state = entry.isParked ? "parked" : entry.isHeld(at: model.now) ? "pushing" : "waiting"
        return "\(entry.id) \(key) \(entry.kind) \(state), sent \(entry.attempts) times"
          + Self.words(priority: entry.priority, after: entry.after)
      }
  }

  private static func words(priority: Int, after: Int64?) -> String {
    (priority == 0 ? "" : ", of priority \(priority)") + (after.map { ", after \($0)" } ?? "")
  }

  static func sourceWords(_ number: Int, _ how: How, route: String, downUntil: Int64?) -> String {
    "store \(number) holds the route of \(how) for \(route)"
      + (downUntil.map { ", and its origin for down until \($0)" } ?? "")
  }

  private static func words(_ number: Int, _ key: String, _ outcome: String, _ value: Int?)
    -> String
  {
    "store \(number) reads \(key): \(outcome) \(value.map(String.init) ?? "")"
  }

  /// The difference from the expected state; `nil` when there is none.
  func difference(from expected: Sight) -> String? {
    var words = zip(readings, expected.readings).filter(!=).map { "\($0), not \($1)" }
    for step in Set(results.keys).union(expected.results.keys).sorted()
    where results[step] != expected.results[step] {
      words.append(
        "step \(step) came to \(results[step] ?? "nothing yet"), not "
          + (expected.results[step] ?? "nothing yet"))
    }
    if outbox != expected.outbox { words.append("the outbox is \(outbox), not \(expected.outbox)") }
    let (found, wanted) = (Self.sorted(fetches), Self.sorted(expected.fetches))
    if found != wanted { words.append("under way are \(found), not \(wanted)") }
    let (sent, wantedSent) = (Self.sorted(pushes), Self.sorted(expected.pushes))
    if sent != wantedSent { words.append("under way are \(sent), not \(wantedSent)") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  private static func sorted(_ questions: [some CustomStringConvertible]) -> [String] {
    questions.map(\.description).sorted()
  }
}
