#if Gateway
  internal import Foundation
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// A gateway whose copies are gone says so.
  @Suite(.timeLimit(.minutes(1))) struct LostStoreTests {
    @Test func `that its store was deleted is told at once, and counted`() async throws {
      let lines = ToldLines()
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.tell = { lines.add($0) }
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=600"], body: "hello")
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        #expect(
          try await bench.told("/status").contains("\"storeReplaced\":0,\"damagedFiles\":[]"))
        let path = bench.temporary.path
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: path + suffix) {
          try FileManager.default.removeItem(atPath: path + suffix)
        }
        // It looks once a second at most.
        while lines.lines.isEmpty {
          #expect(try await bench.ask("/b").text == "hello")
          await Task.yield()
        }
        #expect(lines.lines.contains { $0.hasPrefix("the store was deleted or replaced by ") })
        #expect(
          try await bench.told("/status").contains("\"storeReplaced\":1,\"damagedFiles\":[]"))
        #expect(
          try await bench.told("/metrics").contains("\nfreshstore_store_replaced_total 1\n"))
        try await bench.askUntilHit("/a")
      }
    }

    @Test func `of a damaged store it is told where that is now`() {
      #expect(
        FileChange.movedAside("/a.db.damaged-1").words
          .hasPrefix(
            "the store was damaged; it was moved to /a.db.damaged-1 and a new one was begun, with ")
      )
    }
  }
#endif
