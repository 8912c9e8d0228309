import FreshStore
import Strategies

/// Work on a store that ends only when the process is killed.
///
/// It prints `begin KEY STATE` before each change of a record, and `done KEY STATE` after it. The
/// word `durable` follows where a power cut must not undo the change. The state of a missing record
/// is `-`. No two processes with different roles change the same record.
///
/// `StoreWorker DATABASE endless ROLE FIRST`: the first of the numbers that become values.
struct EndlessWork {
  /// The role of the process.
  enum Role: String {
    case writer, refresher, sweeper, pusher
  }

  private let store: Store
  private let values: RecordCollection<Int>
  private let role: Role
  private var number: Int

  init(_ path: String, _ role: Role, first: Int) throws {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.leaseDuration = .milliseconds(300)
    store = try Store(path: path, configuration: configuration)
    values = try store.collection("values", of: Int.self)
    self.role = role
    number = first
  }

  mutating func run() async throws -> Never {
    while true {
      number += 1
      switch role {
      case .writer: try await write()
      case .refresher: try await refresh()
      case .sweeper: try await keepUp()
      case .pusher: try await push()
      }
    }
  }

  private var details: FetchDetails { FetchDetails(expiry: .never) }

  private func key(_ count: Int) -> String { "\(role.rawValue)/\(number % count)" }

  private func saying(
    _ keys: [String], _ state: String, isDurable: Bool = true, _ body: () async throws -> Void
  ) async throws {
    for key in keys { StoreWorker.say("begin \(key) \(state)") }
    try await body()
    for key in keys { StoreWorker.say("done \(key) \(state)\(isDurable ? " durable" : "")") }
  }

  private func write() async throws {
    let survives = number.isMultiple(of: 3)
    switch number % 5 {
    case 0:
      let pair = ["writer/left", "writer/right"]
      try await saying(pair, "\(number)", isDurable: survives) {
        try await values.put(
          Dictionary(uniqueKeysWithValues: pair.map { ($0, number) }), details: details,
          durability: survives ? .full : .normal)
      }
    case 1:
      try await saying([key(7)], "-") { try await values.remove(key(7)) }
    default:
      try await saying([key(7)], "\(number)", isDurable: survives) {
        try await values.put(
          number, for: key(7), details: details, durability: survives ? .full : .normal)
      }
    }
  }

  private func refresh() async throws {
    let (number, details) = (number, details)
    StoreWorker.say("begin \(key(3)) \(number)")
    let answer = try await values.get(key(3), policy: .sourceFirst) { _ in
      .value(number, details)
    }
    // On a busy machine a lease may expire, and another process may take it.
    if answer.storeFailure?.code == .superseded { return }
    if let failure = answer.storeFailure { throw failure }
    StoreWorker.say("done \(key(3)) \(number)")
  }

  private func keepUp() async throws {
    switch number % 5 {
    case 0: _ = try await store.sweep()
    case 1: try await values.markStale(prefix: "writer/")
    case 2: try await store.giveBack(try await store.due(limit: 3))
    case 3: _ = try await store.check()
    default: try await values.markStale("refresher/1")
    }
    StoreWorker.say("kept up")
  }

  private func push() async throws {
    try await saying([key(3)], "\(number)") { _ = try await values.write(number, for: key(3)) }
    guard number.isMultiple(of: 2) else { return }
    _ = await values.push(try await store.dueWrites(limit: 2)) { _ in .accepted }
  }
}
