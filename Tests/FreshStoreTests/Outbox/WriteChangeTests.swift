import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The changes that observers hear of local writes, in this store and in other stores on its file.
@Suite struct WriteChangeTests: ArticleSuite {
  @Test func `a write is followed from its beginning to its end, by everybody`() async throws {
    try await withArticles { temporary, articles in
      let other = try temporary.another()
      let (own, others) = (temporary.store.changes(), other.changes())
      let entry = try await articles.write("a", for: "1")
      let now = temporary.clock.reading().wall
      try await articles.drain { _ in throw OriginFailure() }
      try await temporary.store.retry([entry.id])
      try await articles.drain { _ in .refused("too long") }
      try await temporary.store.retry([entry.id])
      try await articles.drain { _ in .accepted }
      let second = try await articles.write("b", for: "2")
      try await temporary.store.drop([second.id])

      let kinds: [Change.Kind] = [
        .written, .pushing, .deferred, .resumed, .pushing, .parked, .resumed, .pushing, .pushed,
        .written, .restored,
      ]
      for changes in [own, others] {
        var heard: [Change] = []
        for await change in changes {
          heard.append(change)
          if heard.count == kinds.count { break }
        }
        #expect(heard.map(\.kind) == kinds)
        #expect(heard.map(\.write?.id) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2])
        #expect(heard[2].write?.until == now.advanced(by: .milliseconds(500)))
        #expect(heard[2].write?.reason?.contains("OriginFailure") == true)
        #expect(heard[5].write?.reason == "too long" && heard[5].write?.until == nil)
      }
      try await other.close()
    }
  }

  @Test func `the end of all pauses is that of local writes, too, but not of parked ones`()
    async throws
  {
    try await withArticles { temporary, articles in
      for key in ["1", "2", "3"] { try await articles.write(key, for: key) }
      try await articles.drain { write in
        switch write.key {
        case "1": throw OriginFailure()
        case "2": throw OriginFailure(retryAfter: .seconds(77))
        default: return .refused("no")
        }
      }
      #expect(try await temporary.store.endWritePauses() == 1)
      #expect(try temporary.store.outbox().map { $0.nextAttempt == nil } == [true, false, true])
      #expect(try await temporary.store.endPauses() >= 1)
      #expect(try temporary.store.outbox().map { $0.nextAttempt == nil } == [true, true, true])
      #expect(try temporary.store.outbox().map(\.state) == [.waiting, .waiting, .parked])
    }
  }

  @Test func `pauses of one origin's writes end, named or not, and those of others stay`()
    async throws
  {
    try await withArticles { temporary, articles in
      for key in ["1", "2"] {
        try await articles.write(key, for: key, options: WriteOptions(address: "https://\(key)/"))
      }
      try await articles.drain { _ in throw OriginFailure(retryAfter: .seconds(77)) }
      let count = try await temporary.store.endWritePauses { _, address in
        address == "https://2/" ? address : nil
      }
      #expect(count == 1)
      #expect(try temporary.store.outbox().map { $0.nextAttempt == nil } == [false, true])
    }
  }
}
