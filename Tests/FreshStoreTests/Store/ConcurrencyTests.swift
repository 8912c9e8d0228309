import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

/// Many tasks on two stores of one file, concurrently.
@Suite struct ConcurrencyTests {
  /// A source whose value only grows, and the newest value whose predecessors were all marked stale.
  final class GrowingSource: Sendable {
    private let value = Atomic<Int>(0)
    private let floor = Atomic<Int>(0)
    let violations = Mutex<[String]>([])

    func change() -> Int { value.add(1, ordering: .sequentiallyConsistent).newValue }
    func promise(_ value: Int) { floor.max(value, ordering: .sequentiallyConsistent) }
    var promised: Int { floor.load(ordering: .sequentiallyConsistent) }

    func fetch() async -> Fetched<Int> {
      let now = value.load(ordering: .sequentiallyConsistent)
      await Task.yield()
      return .value(now, FetchDetails(expiry: .never, tags: ["tag"]))
    }

    func check(_ found: Int, _ least: Int) {
      if found < least { violations.withLock { $0.append("\(found) < \(least)") } }
    }
  }

  @Test(arguments: ["key", "tag", "prefix", "collection"])
  func `after a mark has returned no get returns a value fetched before it`(
    _ scope: String
  ) async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let source = GrowingSource()
      let numbers = [
        try temporary.store.collection("numbers", of: Int.self),
        try other.collection("numbers", of: Int.self),
      ]
      try await numbers[0].put(0, for: "k", details: FetchDetails(expiry: .never, tags: ["tag"]))

      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          let own = numbers[worker % 2]
          group.addTask {
            for round in 0..<40 {
              if worker < 2, round.isMultiple(of: 2) {
                let changed = source.change()
                switch scope {
                case "key": try await own.markStale("k")
                case "tag": try await own.store.markStale(tag: "tag")
                case "prefix": try await own.markStale(prefix: "k")
                default: try await own.markAllStale()
                }
                source.promise(changed)
              }
              let least = source.promised
              source.check(try await own.get("k") { _ in await source.fetch() }.value, least)
            }
          }
        }
        try await group.waitForAll()
      }
      try await other.close()

      #expect(source.violations.withLock { $0 } == [])
    }
  }

  @Test func `concurrent readers, writers, marks and sweeps leave a sound file`() async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let stores = [temporary.store, other]
      var patiently = SweepOptions()
      patiently.wait = .seconds(60)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<6 {
          let store = stores[worker % 2]
          let bytes = try store.bytes("bytes")
          group.addTask { [patiently] in
            for round in 0..<60 {
              let key = "\((round * 7 + worker) % 13)"
              switch (round + worker) % 6 {
              case 0: try await bytes.put(Array(key.utf8), for: key, durability: .normal)
              case 1: try await bytes.remove(key)
              case 2: try await bytes.markStale(prefix: "1")
              case 3: _ = try await store.sweep(patiently)
              case 4: try await store.giveBack(try await store.due(limit: 2))
              default:
                let answer = try await bytes.get(key) { .value(Array($0.key.utf8)) }
                #expect(answer.value == Array(key.utf8))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let check = try await other.check()
      try await other.close()

      #expect(check.isSound)
    }
  }
}
