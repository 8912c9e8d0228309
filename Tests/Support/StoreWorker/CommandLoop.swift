import ChildProcess
import FreshStore
import Strategies

/// A process that works on a store on command: one command a line, answered by `done` or by
/// the error.
enum CommandLoop {
  static func run(_ path: String) async throws {
    let store = try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
    let worker = Worker(store: store, values: try store.bytes("values"))
    StoreWorker.say("ready")
    while let line = readLine() {
      do {
        try await worker.perform(line.split(separator: " ").map(String.init))
        StoreWorker.say("done")
      } catch {
        StoreWorker.say("failed: \(error)")
      }
    }
    try await store.close()
  }
}

private final class Worker {
  struct UnknownCommand: Error {}
  struct NotRefused: Error {}

  let store: Store
  let values: RecordCollection<[UInt8]>
  /// Kept, so that the store has an observer.
  private var changes: AsyncStream<Change>?

  init(store: Store, values: RecordCollection<[UInt8]>) {
    self.store = store
    self.values = values
  }

  /// 0 when a read is refused because this is a forked child.
  private func refusal(_ key: String) -> Int32 {
    do throws(StoreError) {
      _ = try values.read(key)
      return 1
    } catch {
      if case .forked = error.code { return 0 }
      return 2
    }
  }

  func perform(_ words: [String]) async throws {
    let argument = words.count > 1 ? words[1] : ""
    switch words.first {
    case "put": try await values.put(Array("value".utf8), for: argument)
    case "set":
      try await values.put(Array(words[2].utf8), for: argument, durability: .normal)
    case "readInChild":
      // In memory, so that no file access is needed.
      _ = try values.read(argument)
      guard try ForkedChild.status(of: { refusal(argument) }) == 0 else { throw NotRefused() }
    case "putMany":
      for number in 1...(Int(argument) ?? 0) {
        try await values.put([], for: "\(number)", durability: .normal)
      }
    case "putExpired":
      try await values.put([], for: argument, details: FetchDetails(expiry: .immediately))
    case "get":
      _ = try await values.get(argument, policy: .sourceFirst) { _ in .value([1]) }
    case "confirm":
      _ = try await values.get(argument, policy: .sourceFirst) { _ in .notModified }
    case "remove": try await values.remove(argument)
    case "removeAll": try await values.removeAll()
    case "wipe":
      StoreWorker.say("wiping")
      try await store.wipe()
    case "mark": try await values.markStale(argument)
    case "markPrefix": try await values.markStale(prefix: argument)
    case "markTag": try await store.markStale(tag: argument)
    case "markAll": try await values.markAllStale()
    case "sweep": _ = try await store.sweep()
    case "prune":
      var options = PruneOptions()
      options.maximumCount = 0
      _ = try await store.prune(options)
    case "observe": changes = store.changes()
    case "ignore": changes = nil
    case "write": try await values.write(Array("local".utf8), for: argument)
    case "claim":
      _ = try await store.dueWrites(
        limit: 1, holding: .milliseconds(Int(argument) ?? 0))
    case "hang":
      _ = await values.push(try await store.dueWrites(limit: 1)) { _ in
        StoreWorker.say("done")
        try await Task.sleep(for: .seconds(600))
        return .accepted
      }
    default: throw UnknownCommand()
    }
  }
}
