import FreshStoreTesting
import StoreSupport
import Synchronization
import Testing

@testable import FreshStore

/// How many records a turn of a long write takes where the disk is nearly full.
struct TurnSizeTests {
  @Test func `turns that a full disk made smaller grow again once there is room`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let asked = Mutex<[Int]>([])
      let room = Mutex(5)
      var writer = TurnWriter(store, hold: .seconds(1), most: 100)
      func turn() async throws -> Int {
        try await writer.write(upTo: 64) { (most) throws(StoreError) in
          asked.withLock { $0.append(most) }
          guard most <= room.withLock(\.self) else { throw StoreError(.full, .sweep) }
          return try store.storage.database.turn(.sweep) { (_, _) in Database.Work(done: most) }
        }.done
      }
      #expect(try await turn() == 4)
      // Each was tried once more, with an empty log, before it was made smaller.
      #expect(asked.withLock(\.self) == [64, 64, 32, 16, 8, 4])
      #expect(writer.room == 6)

      room.withLock { $0 = .max }
      var sizes: [Int] = []
      while sizes.last ?? 0 < 64, sizes.count < 20 { try await sizes.append(turn()) }
      #expect(sizes == sizes.sorted() && sizes.first == 6 && sizes.last == 64)
    }
  }
}
