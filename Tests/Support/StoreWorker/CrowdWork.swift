import FreshStore
import Strategies

/// The work of one of many processes on a file, with every kind of operation, until its time is over. A
/// violation ends it with a line that describes it.
///
/// `StoreWorker DATABASE crowd PROCESS SECONDS` prints `done OPERATIONS MARKS FETCHES` at its end.
struct CrowdWork {
  /// An observed violation.
  private struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Keys that all processes get; each has one process that marks it.
  private static let sharedKeys = 8

  private let store: Store
  private let values: RecordCollection<Int>
  private let shelf: CrowdShelf
  private let process: Int
  /// The values under the keys that no other process changes.
  private var own: [String: Int] = [:]
  private var number = 0
  private var marks = 0

  init(_ path: String, process: Int) throws {
    store = try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
    values = try store.collection("values", of: Int.self)
    shelf = try CrowdShelf(beside: path)
    self.process = process
  }

  mutating func run(for seconds: Int) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      number += 1
      let ownKey = "own/\(process)/\(Int.random(in: 0..<5))"
      switch Int.random(in: 0..<100) {
      case 0..<60: try await get(Int.random(in: 0..<Self.sharedKeys))
      case 60..<75: try read(ownKey)
      case 75..<88: try await put(ownKey)
      case 88..<92:
        try await values.remove(ownKey)
        own[ownKey] = nil
      case 92..<99: if process < Self.sharedKeys { try await mark(process) }
      default: try await sweep()
      }
    }
    try await store.close()
    StoreWorker.say("done \(number) \(marks) \(shelf.fetches)")
  }

  private func get(_ index: Int) async throws {
    let least = try shelf.number(at: .acknowledged(index))
    let shelf = shelf
    let answer = try await values.get("shared/\(index)") { _ in
      guard let value = try shelf.fetch(index) else {
        throw Wrong(description: "shared/\(index) is being fetched by two at once")
      }
      return .value(Int(value), FetchDetails(expiry: .never))
    }
    guard answer.value >= least else {
      throw Wrong(description: "shared/\(index) is \(answer.value) after \(least) was marked")
    }
    if let failure = answer.storeFailure, failure.code != .superseded { throw failure }
  }

  private func read(_ key: String) throws {
    let found = try values.read(key).copy?.value
    guard found == own[key] else {
      throw Wrong(description: "\(key) is \(found ?? 0) after \(own[key] ?? 0) was put")
    }
  }

  private mutating func put(_ key: String) async throws {
    let survives = number.isMultiple(of: 8)
    try await values.put(
      number, for: key, details: FetchDetails(expiry: .never),
      durability: survives ? .full : .normal)
    own[key] = number
    try read(key)
  }

  private func sweep() async throws {
    do {
      _ = try await store.sweep()
    } catch {
      // One process at a time sweeps.
      guard case .sweepUnderWay = error.code else { throw error }
    }
  }

  private mutating func mark(_ index: Int) async throws {
    marks += 1
    try shelf.set(Int64(marks), at: .origin(index))
    try await values.markStale("shared/\(index)")
    try shelf.set(Int64(marks), at: .acknowledged(index))
  }
}
