#if HTTP
  import ChildProcess
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import OriginServer
  import Strategies
  import Testing

  /// A process that drains an outbox against a real server, killed and restarted.
  @Suite struct KilledPushTests {
    private static let keys = 30
    private static let writesPerKey = 20
    private static let kills = 30

    @Test(.timeLimit(.minutes(3)))
    func `after repeated kills of the process every write arrives once and in order`()
      async throws
    {
      let folder = try TemporaryFolder()
      let (path, pushed) = (folder.file("store.db"), PushedValues())
      let configuration = Configuration(reachability: .fixed(.online))
      let store = try Store(path: path, configuration: configuration)
      let values = try store.bytes("values")
      for number in 1...Self.writesPerKey {
        for key in 1...Self.keys { try await values.write(Array("\(number)".utf8), for: "k\(key)") }
      }
      let server = try await OriginServer.start { pushed.answer($0) }

      for _ in 1...Self.kills {
        let worker = try ChildProcess(beside: "SyncWorker", [path, "push", server.url("")])
        await pushed.requests(more: .random(in: 1...8))
        // At some moment after the last request: a kill comes at any time.
        try await Task.sleep(for: .microseconds(.random(in: 0...3000)))
        worker.signal(SIGKILL)
        #expect(await worker.end() == 128 + SIGKILL)
      }
      let left = try store.outbox().count
      let changes = store.changes()
      let worker = try ChildProcess(beside: "SyncWorker", [path, "push", server.url("")])
      if left > 0 {
        for await _ in changes where try store.outbox().isEmpty { break }
      }
      worker.signal(SIGKILL)
      _ = await worker.end()
      await server.stop()

      print("\(left) writes were left after \(Self.kills) kills, \(pushed.repeats) sent again")
      let all = (1...Self.writesPerKey).map { "\($0)" }
      for key in 1...Self.keys {
        #expect(pushed.applied["/k\(key)"] == all)
        #expect(try values.read("k\(key)").copy?.value == Array(all.last?.utf8 ?? "".utf8))
      }
      #expect(try await store.check().isSound)
      try await store.close()
    }
  }
#endif
