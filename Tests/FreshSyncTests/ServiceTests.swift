import ChildProcess
import Foundation
import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// A synchronizer in a process of its own, on a file that the test inspects.
@Suite struct ServiceTests {
  /// A file with stale records of the collection `values`.
  private func stock(_ folder: TemporaryFolder, _ count: Int) async throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.leaseDuration = .milliseconds(600)
    let store = try Store(path: folder.file("store.db"), configuration: configuration)
    let values = try store.bytes("values")
    for number in 1...count {
      try await values.put(
        [0], for: "\(number)", details: FetchDetails(expiry: .immediately))
    }
    _ = try await store.sweep()
    return store
  }

  @Test(.timeLimit(.minutes(2)))
  func `the records of a killed process are fetched by another`() async throws {
    let folder = try TemporaryFolder()
    let store = try await stock(folder, 3)
    let worker = try ChildProcess(beside: "SyncWorker", [store.path, "hold"])
    for _ in 1...3 { #expect(await worker.line().hasPrefix("fetching")) }
    #expect(try await store.due(limit: 9).isEmpty)

    worker.signal(SIGKILL)
    var found: Set<String> = []
    while found.count < 3 {
      try await Task.sleep(for: .milliseconds(20))
      found.formUnion(try await store.due(limit: 9).map(\.key))
    }

    #expect(found == ["1", "2", "3"])
    try await store.close()
  }

  #if Sync
    @Test(.timeLimit(.minutes(2)))
    func `the graceful shutdown of a service group gives everything back at once`() async throws {
      let folder = try TemporaryFolder()
      let store = try await stock(folder, 3)
      let worker = try ChildProcess(beside: "SyncWorker", [store.path, "hold"])
      for _ in 1...3 { #expect(await worker.line().hasPrefix("fetching")) }

      worker.signal(SIGTERM)
      #expect(await worker.line() == "stopped")

      #expect(try store.statistics().leases == 0)
      #expect(Set(try await store.due(limit: 9).map(\.key)) == ["1", "2", "3"])
      try await store.close()
    }
  #endif
}
