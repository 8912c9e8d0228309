import FreshStoreTesting
import StoreSupport
import Strategies

@testable import FreshStore

/// Work on a store whose disk may fail, and the possible contents of each key after it: a failed operation
/// may have been done or not, a successful one was done.
struct TroubledWork {
  let path: String
  let clock: ManualClock
  private(set) var possible: [String: Set<Held>] = [:]
  /// The observed violations.
  private(set) var wrong: [String] = []
  /// The failed operations.
  private(set) var failed: [String] = []
  private var counter = 0

  /// Two keys that are only ever stored together.
  static let pair = ["pair/1", "pair/2"]
  static let keys = ["fetched", "marked", "put", "removed", "written"] + pair

  init(path: String, clock: ManualClock) {
    self.path = path
    self.clock = clock
    for key in Self.keys { possible[key] = [.missing] }
  }

  func configuration(fileSystem: String?) -> Configuration {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.clock = clock
    configuration.busyTimeout = .milliseconds(200)
    configuration.fileSystem = fileSystem
    return configuration
  }

  /// Does a few operations of each kind, on the disk of the folder.
  mutating func run() async {
    let store: Store
    let values: RecordCollection<String>
    do {
      store = try Store(path: path, configuration: configuration(fileSystem: DiskFileSystem.name))
      values = try store.collection("values", of: String.self)
    } catch {
      failed.append("open: \(error)")
      return
    }
    for isDurable in [false, true] { await put(values, isDurable) }
    await fetch(values)
    await mark(values, store)
    await write(values, store)
    await upkeep(store)
    read(values)
    do {
      try await store.close()
    } catch {
      failed.append("close: \(error)")
    }
  }

  // MARK: Operations

  private mutating func put(_ values: RecordCollection<String>, _ isDurable: Bool) async {
    let one = next()
    await attempt("put", ["put": { _ in .fresh(one) }]) {
      try await values.put(
        one, for: "put", details: Self.lasting, durability: isDurable ? .full : .normal)
    }
    let two = next()
    await attempt("put two", Self.effects(on: Self.pair) { _ in .fresh(two) }) {
      try await values.put(
        Dictionary(uniqueKeysWithValues: Self.pair.map { ($0, two) }), details: Self.lasting,
        durability: isDurable ? .full : .normal)
    }
    let three = next()
    await attempt("put to remove", ["removed": { _ in .fresh(three) }]) {
      try await values.put(three, for: "removed", details: Self.lasting, durability: .normal)
    }
    await attempt("remove", ["removed": { _ in .missing }]) { try await values.remove("removed") }
    read(values)
  }

  private mutating func fetch(_ values: RecordCollection<String>) async {
    let value = next()
    await attempt("fetch", ["fetched": { _ in .fresh(value) }]) {
      let answer = try await values.get("fetched", policy: .sourceFirst) { _ in
        .value(value, Self.lasting)
      }
      if answer.value != value { throw Unexpected(what: "got \(answer.value), not \(value)") }
      if let failure = answer.storeFailure { throw failure }
    }
  }

  private mutating func mark(_ values: RecordCollection<String>, _ store: Store) async {
    let value = next()
    await attempt("put to mark", ["marked": { _ in .fresh(value) }]) {
      var details = Self.lasting
      details.tags = ["red"]
      try await values.put(value, for: "marked", details: details, durability: .normal)
    }
    await attempt("mark a tag", ["marked": { $0.marked }]) { try await store.markStale(tag: "red") }
    await attempt("mark a key", ["put": { $0.marked }]) { try await values.markStale("put") }
    await attempt("mark a prefix", Self.effects(on: Self.pair) { $0.marked }) {
      try await values.markStale(prefix: "pair/")
    }
    read(values)
    await attempt("sweep", [:]) { _ = try await store.sweep() }
  }

  private mutating func write(_ values: RecordCollection<String>, _ store: Store) async {
    for _ in 0..<2 {
      let value = next()
      await attempt(
        "write", ["written": { _ in .value(value, isStale: false, isPending: true) }]
      ) {
        try await values.write(value, for: "written")
      }
      read(values)
    }
    await attempt("push", ["written": { $0.pushed }]) {
      let due = try await store.dueWrites(limit: 10)
      for (_, result) in await values.push(due, push: { _ in .accepted }) { _ = try result.get() }
      if try store.outbox().first != nil { throw Unexpected(what: "writes are left") }
    }
  }

  private mutating func upkeep(_ store: Store) async {
    await attempt("move the log", [:]) { _ = await store.storage.database.moveLog() }
    await attempt("hand out", [:]) {
      try await store.giveBack(try await store.due(limit: 10))
    }
    await attempt("prune", [:]) {
      var options = PruneOptions()
      options.maximumCount = 1000
      _ = try await store.prune(options)
    }
  }

  // MARK: Possible contents

  struct Unexpected: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
  }

  private static var lasting: FetchDetails { FetchDetails(expiry: .never) }

  private static func effects(
    on keys: [String], _ effect: @escaping (Held) -> Held
  ) -> [String: (Held) -> Held] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, effect) })
  }

  private mutating func next() -> String {
    counter += 1
    return "\(counter)"
  }

  private mutating func attempt(
    _ name: String, _ effects: [String: (Held) -> Held], _ body: () async throws -> Void
  ) async {
    var isDone = true
    do {
      try await body()
    } catch {
      failed.append("\(name): \(error)")
      isDone = false
    }
    for (key, effect) in effects {
      let before = possible[key] ?? []
      let after = Set(before.map(effect))
      possible[key] = isDone ? after : before.union(after)
    }
  }

  /// Reads everything; the result must be one of the possible contents.
  private mutating func read(_ values: RecordCollection<String>) {
    for key in Self.keys {
      do {
        let reading = try values.read(key)
        // An unreadable row is a missing one with an error.
        if reading.decision.outcome != .unusable { compare(key, Held(reading)) }
      } catch {
        failed.append("read: \(error)")
      }
    }
  }

  private mutating func compare(_ key: String, _ held: Held) {
    guard possible[key]?.contains(held) != true else { return }
    wrong.append("\(key): \(held), not one of \(possible[key] ?? []), after \(failed)")
  }

  // MARK: Afterwards

  /// Opens the file on a disk that works: it is sound, it holds all acknowledged changes, and no
  /// lock or lease is left.
  mutating func verify() async throws {
    let store = try Store(path: path, configuration: configuration(fileSystem: nil))
    let values = try store.collection("values", of: String.self)
    if !store.health.movedAside.isEmpty { wrong.append("moved aside, after \(failed)") }
    let check = try await store.check()
    if !check.isSound { wrong.append("\(check.findings), after \(failed)") }
    var found: [String: Held] = [:]
    for key in Self.keys {
      let held = Held(try values.read(key))
      found[key] = held
      compare(key, held)
    }
    if found[Self.pair[0]] != found[Self.pair[1]] { wrong.append("half a pair, after \(failed)") }
    clock.advance(by: store.configuration.leaseDuration + .seconds(120))
    for key in Self.keys where key != "written" {
      let value = next()
      let answer = try await values.get(key, policy: .sourceFirst) { _ in .value(value) }
      let reading = try values.read(key)
      if answer.value != value || answer.storeFailure != nil || reading.copy?.value != value {
        wrong.append("\(key) cannot be fetched: \(answer.storeFailure.map { "\($0)" } ?? "?")")
      }
    }
    // The writes of one key are handed out one after the other.
    while case let due = try await store.dueWrites(limit: 10), !due.isEmpty {
      _ = await values.push(due) { _ in .accepted }
    }
    if let left = try store.outbox().first { wrong.append("a write is stuck: \(left)") }
    try await store.close()
  }
}
