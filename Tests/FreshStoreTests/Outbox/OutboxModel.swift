import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A store with local writes and its oracle, and the operations that are done to both.
struct OutboxModel {
  let folder: TemporaryFolder
  let clock = ManualClock()
  var generator: SeededGenerator
  var oracle = OutboxOracle()
  var store: Store
  /// Stores that were abandoned, as a killed process leaves its own.
  var left: [Store] = []
  var counter = 0

  static let keys = ["a", "b", "c", "d"]

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    generator = SeededGenerator(seed: seed)
    store = try Self.open(folder, clock)
  }

  private static func open(_ folder: TemporaryFolder, _ clock: ManualClock) throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.clock = clock
    configuration.random = { 0 }
    // A wall clock that was set back makes nothing stale here.
    configuration.allowedSkew = .seconds(100_000_000)
    return try Store(path: folder.file("store.db"), configuration: configuration)
  }

  private func collection() throws -> RecordCollection<String> {
    var policy = Policy()
    policy.expiry = .never
    policy.negativeExpiry = .never
    policy.retryPause = .zero
    policy.reachability = .ignore
    return try store.collection("model", of: String.self, policy: policy)
  }

  private mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element {
    elements[
      elements.index(
        elements.startIndex, offsetBy: Int.random(in: 0..<elements.count, using: &generator))]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func newValue() -> String {
    counter += 1
    return "\(counter)"
  }

  // MARK: Operations

  mutating func step() async throws -> String {
    let key = pick(Self.keys)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<34: return try await write(key)
    case 34..<62: return try await drain()
    case 62..<68: return try await ordinary(key)
    case 68..<72: return try await get(key)
    case 72..<76: return try await mark(key)
    case 76..<84: return try await advance()
    case 84..<88: return try await abandon()
    case 88..<92: return try await request()
    case 92..<96:
      _ = try await store.sweep()
      return "sweep"
    default: return try await reopen()
    }
  }

  private mutating func write(_ key: String) async throws -> String {
    let kinds: [WriteKind] = [.create, .replace, .patch([1], contentType: "p"), .delete]
    let kind = pick(kinds)
    let options = WriteOptions(coalesces: chance(50))
    let value = kind == .delete ? nil : newValue()
    if let value {
      try await collection().write(value, for: key, as: kind, options: options)
    } else {
      try await collection().writeDeletion(of: key, options: options)
    }
    oracle.write(
      key, kind.entryKind, value, coalesces: options.coalesces, at: clock.reading().wall)
    return "write \(key) \(kind) \(options.coalesces)"
  }

  private mutating func ordinary(_ key: String) async throws -> String {
    let isPending = oracle.records[key]?.entries.isEmpty == false
    let value = newValue()
    let removes = chance(30)
    let articles = try collection()
    let failure = await storeFailure {
      if removes {
        try await articles.remove(key)
      } else {
        try await articles.put(value, for: key)
      }
    }
    #expect(failure?.code == (isPending ? .pendingWrite : nil))
    if !isPending { oracle.records[key] = removes ? nil : .init(known: .init(value)) }
    return "put or remove \(key)"
  }

  private mutating func get(_ key: String) async throws -> String {
    let before = oracle.outcome(key)
    let fetched = chance(70) ? newValue() : nil
    let origin = ScriptedOrigin<String> { _ in fetched.map { .value($0) } ?? .gone }
    let articles = try collection()
    let found: String?
    do throws(GetError) {
      found = try await articles.get(key, from: origin).value
    } catch {
      found = nil
    }
    switch before.outcome {
    case .fresh: #expect(found == before.value)
    case .absent: #expect(found == nil && origin.calls == 0)
    default:
      #expect(found == fetched)
      oracle.records[key, default: .init()].known = .init(fetched)
    }
    return "get \(key)"
  }

  private mutating func mark(_ key: String) async throws -> String {
    if chance(70) {
      try await collection().markStale(key)
      oracle.mark(key)
      return "mark \(key)"
    }
    try await collection().markAllStale()
    oracle.markAll()
    return "mark all"
  }

  private mutating func advance() async throws -> String {
    let seconds = pick([1, 5, 30, 100])
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: clock.reboot(after: .seconds(seconds))
    case 1: try await step(by: -seconds)
    case 2: try await step(by: -200_000)
    default: clock.advance(by: .seconds(seconds))
    }
    return "advance \(seconds)"
  }

  /// Sets the wall clock, which a store notices at its next operation.
  private mutating func step(by seconds: Int) async throws {
    try await store.keepTime()
    let before = clock.reading().wall
    clock.stepWall(by: .seconds(seconds))
    try await store.keepTime()
    oracle.move(by: .seconds(seconds), after: min(before, clock.reading().wall))
  }

  /// Claims writes and never reports back, in the middle of an attempt or before.
  private mutating func abandon() async throws -> String {
    let limit = Int.random(in: 1...2, using: &generator)
    let expected = oracle.due(at: clock.reading()).prefix(limit)
    let due = try await store.dueWrites(limit: limit, holding: .seconds(10))
    #expect(due.map(\.entry.id) == expected.map(\.entry.id))
    let (begins, givesBack) = (chance(50), chance(30))
    let now = clock.reading()
    for write in due {
      if begins {
        _ = try await store.pushCommits.run { [store] (connection) throws(SQLiteError) in
          try store.storage.beginPush(
            write.claim, for: .seconds(20), unless: nil, now: now, connection)
        }
      }
      oracle.change(write.entry.id) { entry in
        entry.attempts += begins ? 1 : 0
        entry.tries += begins ? 1 : 0
        if begins { entry.dueAt = max(entry.dueAt, now.wall) }
        entry.wasHeld = true
        entry.heldUntil = (now.boot, now.sinceBoot + (begins ? 20_000 : 10_000))
        entry.heldBy = left.count
      }
    }
    guard givesBack else { return "abandon \(due.map(\.entry.id)) \(begins)" }
    try await store.giveBack(due)
    for write in due {
      oracle.change(write.entry.id) { entry in
        entry.wasHeld = false
        entry.heldUntil = nil
      }
    }
    return "give back \(due.map(\.entry.id))"
  }

  private mutating func request() async throws -> String {
    let ids = oracle.records.values.flatMap(\.entries).map(\.id).sorted()
    guard !ids.isEmpty else { return "nothing to request" }
    let id = pick(ids)
    if chance(60) {
      try await store.retry([id])
      let now = clock.reading().wall
      oracle.change(id) { entry in
        entry.dueAt = min(entry.dueAt, now)
        (entry.conflicts, entry.tries) = (0, 0)
        entry.isParked = false
        entry.pausedUntil = nil
      }
      return "retry \(id)"
    }
    try await store.drop([id])
    oracle.drop(id)
    return "drop \(id)"
  }

  private mutating func reopen() async throws -> String {
    if chance(50) {
      try await store.close()
      oracle.release(heldBy: left.count)
    } else {
      left.append(store)
    }
    store = try Self.open(folder, clock)
    return "reopen"
  }

  // MARK: Draining

  private mutating func answers() -> [OutboxOracle.Answer] {
    (0..<2).map { _ in
      OutboxOracle.Answer(
        kind: pick(OutboxOracle.Answer.Kind.allCases), value: newValue(),
        pause: .seconds(pick([0, 10, 100])), marks: chance(15))
    }
  }

  private mutating func drain() async throws -> String {
    let now = clock.reading()
    let due = oracle.due(at: now)
    let (resolution, merged) = (pick(OutboxOracle.Resolution.allCases), newValue())
    var script: [String: [OutboxOracle.Answer]] = [:]
    for (key, _) in due { script[key] = answers() }
    let before = oracle
    for (key, _) in due {
      oracle.push(key, script[key] ?? [], resolution, merged, at: now.wall)
    }
    let source = ScriptedSource(script: script, before: before, merges: resolution.merges)
    let articles = try collection()
    let outcomes = try await articles.drain(conflicts: Self.policy(resolution, merged)) { write in
      try await source.answer(write, marking: articles)
    }
    #expect(outcomes.keys.sorted() == due.map(\.key).sorted())
    #expect(source.complaints.all.isEmpty)
    return "drain \(script.mapValues { $0.map(\.kind) }) \(resolution)"
  }

  private static func policy(
    _ resolution: OutboxOracle.Resolution, _ merged: String
  ) -> ConflictPolicy<String> {
    switch resolution {
    case .server: .serverWins
    case .client: .clientWins
    case .merged: .merge { _ in .merged(merged) }
    case .deleted: .merge { _ in .deleted }
    case .parked: .parks
    case .failed: .merge { _ in throw OriginFailure() }
    }
  }

  // MARK: Comparing

  /// The difference between the store and the oracle; `nil` when there is none.
  func difference() throws -> String? {
    let now = clock.reading()
    for key in Self.keys {
      let (expected, reading) = (oracle.outcome(key), try collection().read(key))
      guard reading.decision.outcome == expected.outcome, reading.copy?.value == expected.value
      else { return "\(key) is \(reading.decision) \(reading.copy?.value ?? ""), not \(expected)" }
      let entries = try store.outbox(key: key)
      let expectedEntries = oracle.records[key]?.entries ?? []
      let found = entries.map { "\($0.id) \($0.kind) \($0.attempts) \($0.state)" }
      let wanted = expectedEntries.map { entry in
        let state = entry.isParked ? "parked" : entry.isHeld(at: now) ? "pushing" : "waiting"
        return "\(entry.id) \(entry.kind) \(entry.attempts) \(state)"
      }
      if found != wanted { return "\(key) has \(found), not \(wanted)" }
    }
    let isDue = try store.nextWriteDue().map { $0 <= now.wall } ?? false
    return isDue == !oracle.due(at: now).isEmpty ? nil : "due is \(isDue)"
  }

  func finish() async throws {
    let check = try await store.check()
    #expect(check.isSound)
    try await store.close()
    for store in left { try await store.close() }
  }
}
