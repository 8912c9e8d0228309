import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A store and its oracle, and the operations that are done to both.
struct StoreModel {
  let folder: TemporaryFolder
  let clock: ManualClock
  let network: ScriptedReachability
  private let fileSystem: String?
  var generator: SeededGenerator
  var oracle = Oracle()
  var store: Store
  var counter = 0
  /// Whether the last step is durable.
  private(set) var wasDurable = false

  static let keys = ["a/1", "a/2", "b/1", "b/2", "a", "a\0", "\u{e9}", "b"]
  static let tags = ["x", "y", "z"]
  static let expiries: [Expiry] = [
    .after(.seconds(5)), .after(.seconds(50)), .never, .immediately, .unstated,
  ]

  /// A model of a store in a folder, which holds nothing yet.
  init(seed: UInt64, in folder: TemporaryFolder? = nil, fileSystem: String? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    self.fileSystem = fileSystem
    clock = ManualClock()
    network = ScriptedReachability()
    generator = SeededGenerator(seed: seed)
    store = try Self.open(self.folder, clock, network, fileSystem)
  }

  /// A model of the store in another folder, at the same time and in the same network.
  init(like other: StoreModel, in folder: TemporaryFolder) throws {
    self.folder = folder
    fileSystem = other.fileSystem
    (clock, network, generator) = (other.clock, other.network, other.generator)
    store = try Self.open(folder, clock, network, fileSystem)
  }

  private static func open(
    _ folder: TemporaryFolder, _ clock: ManualClock, _ network: ScriptedReachability,
    _ fileSystem: String?
  ) throws -> Store {
    var configuration = Configuration(reachability: network)
    configuration.clock = clock
    configuration.fileSystem = fileSystem
    return try Store(path: folder.file("store.db"), configuration: configuration)
  }

  private func collection() throws -> RecordCollection<String> {
    // Without pauses: the oracle knows of none.
    try store.collection("model", of: String.self, policy: Policy().retryPause(.zero))
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private mutating func someTags() -> Set<String>? {
    Bool.random(using: &generator)
      ? nil : Set(Self.tags.filter { _ in Bool.random(using: &generator) })
  }

  private func deadline(_ expiry: Expiry) -> Timestamp? {
    switch expiry {
    case .after(let duration): clock.reading().wall.advanced(by: duration)
    case .immediately: clock.reading().wall
    case .never, .unstated: nil
    }
  }

  // MARK: Operations

  mutating func step() async throws -> String {
    let key = pick(Self.keys)
    wasDurable = false
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<25: return try await put(key)
    case 25..<55: return try await get(key)
    case 55..<62: return try await remove(key)
    case 62..<75: return try await mark(key)
    case 75..<88: return advance()
    case 88..<92: return toggleNetwork()
    case 92..<95:
      _ = try await store.sweep()
      return "sweep"
    case 95..<97: return try await hand()
    case 97..<99: return try await reopen()
    default:
      wasDurable = try await collection().removeAll() > 0
      oracle.entries = [:]
      return "remove all"
    }
  }

  private mutating func put(_ key: String) async throws -> String {
    counter += 1
    let (expiry, tags) = (pick(Self.expiries), someTags())
    let isDurable = Bool.random(using: &generator)
    try await collection().put(
      "\(counter)", for: key, details: FetchDetails(expiry: expiry, tags: tags),
      durability: isDurable ? .full : .normal)
    wasDurable = isDurable
    oracle.store(key, "\(counter)", deadline(expiry), tags)
    return "put \(key.debugDescription) \(expiry)"
  }

  private mutating func get(_ key: String) async throws -> String {
    counter += 1
    let now = clock.reading().wall
    let before = oracle.outcome(key, at: now)
    let (expiry, tags, value) = (pick(Self.expiries), someTags(), "\(counter)")
    let details = FetchDetails(expiry: expiry, tags: tags)
    let kind = pick(["value", "value", "not modified", "gone", "failure"])
    let origin = ScriptedOrigin<String> { _ in
      switch kind {
      case "value": return .value(value, details)
      case "not modified": return .notModified(details)
      case "gone": return .gone(details)
      default: throw OriginFailure()
      }
    }
    let articles = try collection()
    let result: String
    do throws(GetError) {
      result = try await articles.get(key, from: origin).value
    } catch {
      result = "\(error.code)"
    }
    let copy = oracle.entries[key]?.value
    let expected: String
    switch (before, kind) {
    case (.fresh, _), (.offline, _): expected = copy ?? "?"
    case (.absent, _): expected = "absent"
    case (_, _) where oracle.isOffline: expected = "offline"
    case (_, "value"):
      expected = value
      oracle.store(key, value, deadline(expiry), tags)
    case (.stale, "not modified"):
      expected = copy ?? "?"
      oracle.store(key, copy, deadline(expiry), tags)
    case (_, "gone"):
      expected = "absent"
      oracle.store(key, nil, deadline(expiry), tags)
    default: expected = "fetchFailed"
    }
    if result != expected {
      Issue.record("get \(key.debugDescription) \(before) \(kind): \(result), not \(expected)")
    }
    return "get \(key.debugDescription) \(before) \(kind) \(expiry)"
  }

  private mutating func remove(_ key: String) async throws -> String {
    wasDurable = try await collection().remove(key)
    oracle.entries[key] = nil
    return "remove \(key.debugDescription)"
  }

  private mutating func mark(_ key: String) async throws -> String {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      wasDurable = try await collection().markStale(key)
      oracle.mark { other, _ in other == key }
      return "mark \(key.debugDescription)"
    case 1:
      let tag = pick(Self.tags)
      try await store.markStale(tag: tag)
      wasDurable = true
      oracle.mark { _, entry in entry.tags.contains(tag) }
      return "mark tag \(tag)"
    case 2:
      let prefix = pick(["a", "a/", "b/", "\u{e9}", "nothing"])
      try await collection().markStale(prefix: prefix)
      wasDurable = true
      oracle.mark { other, _ in other.utf8.starts(with: prefix.utf8) }
      return "mark prefix \(prefix)"
    default:
      try await collection().markAllStale()
      wasDurable = true
      oracle.mark { _, _ in true }
      return "mark all"
    }
  }

  private mutating func advance() -> String {
    let seconds = pick([1, 4, 5, 6, 50])
    if Int.random(in: 0..<10, using: &generator) == 0 {
      clock.reboot(after: .seconds(seconds))
    } else {
      clock.advance(by: .seconds(seconds))
    }
    return "advance \(seconds)"
  }

  private mutating func toggleNetwork() -> String {
    oracle.isOffline.toggle()
    network.set(oracle.isOffline ? .offline("no route") : .online)
    return "offline \(oracle.isOffline)"
  }

  /// The records that the queue hands out are not stale or absent any more; they are given back.
  private mutating func hand() async throws -> String {
    let due = try await store.due(limit: 3)
    for record in due {
      guard let entry = oracle.entries[record.key] else {
        Issue.record("\(record.key.debugDescription) is due and not there")
        continue
      }
      if !entry.isMarked, entry.deadline.map({ clock.reading().wall < $0 }) ?? true {
        Issue.record("\(record.key.debugDescription) is due and fresh")
      }
    }
    try await store.giveBack(due)
    return "due \(due.map(\.key))"
  }

  private mutating func reopen() async throws -> String {
    try await store.close()
    store = try Self.open(folder, clock, network, fileSystem)
    return "reopen"
  }

  // MARK: Comparing

  /// The difference between the store and the oracle; `nil` when there is none.
  mutating func difference(fully: Bool) throws -> String? {
    let now = clock.reading().wall
    for key in fully ? Self.keys : [pick(Self.keys)] {
      let reading = try collection().read(key)
      let expected = oracle.outcome(key, at: now)
      let value = [.fresh, .stale, .offline].contains(expected) ? oracle.entries[key]?.value : nil
      guard reading.decision.outcome == expected, reading.copy?.value == value else {
        return "\(key.debugDescription) is \(reading.decision), not \(expected) \(value ?? "")"
      }
    }
    guard fully else { return nil }
    let listed = try store.list().map(\.key)
    let held = oracle.entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return listed == held ? nil : "listed \(listed), not \(held)"
  }

  func finish() async throws {
    let check = try await store.check()
    #expect(check.isSound)
    try await store.close()
  }
}
