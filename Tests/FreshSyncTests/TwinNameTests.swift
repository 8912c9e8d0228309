import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

@Suite struct TwinNameTests {
  @Test func `two collections with one name in two Unicode forms each ask their own source`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let names = ["caf\u{e9}", "cafe\u{301}"]
      let synchronizer = Synchronizer(temporary.store)
      var collections: [RecordCollection<Int>] = []
      for (number, name) in names.enumerated() {
        let collection = try temporary.store.collection(name, of: Int.self)
        try await collection.put(-1, for: "k", details: FetchDetails(expiry: .never))
        try await collection.markStale("k")
        synchronizer.add(collection, fetch: { _ in .value(number) })
        collections.append(collection)
      }

      let report = try await synchronizer.drain()

      #expect(report.fetched == 2)
      #expect(try collections.map { try $0.read("k").copy?.value } == [0, 1])
    }
  }
}
