import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore
@testable import FreshSync

/// The reactions of a synchronizer to changes.
@Suite(.timeLimit(.minutes(1))) struct MissedChangeTests {
  @Test func `a change that a burst displaced leads to a look`() async throws {
    try await TemporaryStore.run { temporary in
      let hub = temporary.store.hub
      let changes = temporary.store.changes()
      hub.publish(Change(kind: .marked, collection: "numbers", key: "1"))
      for number in 0..<2000 {
        hub.publish(Change(kind: .stored, collection: "numbers", key: "\(number)"))
      }
      var next = changes.makeAsyncIterator()
      let first = await next.next()
      let second = await next.next()

      #expect(first?.kind == .stored && first?.occasion == .look)
      #expect(second?.occasion == .nothing)
    }
  }

  @Test(arguments: [
    (Change.Kind.stored, Change.Occasion.nothing), (.revalidated, .nothing), (.absent, .nothing),
    (.removed, .nothing), (.pushed, .write(RecordID("numbers", "1"))),
    (.written, .write(RecordID("numbers", "1"))), (.restored, .look),
    (.marked, .look), (.resumed, .look), (.unknown, .look), (.deferred, .nothing),
    (.pushing, .nothing), (.parked, .nothing),
  ])
  func `changes by fetches cause no look at the queues, and others may`(
    kind: Change.Kind, occasion: Change.Occasion
  ) {
    #expect(Change(kind: kind, collection: "numbers", key: "1").occasion == occasion)
  }

  @Test func `a wipe leads to a look`() {
    #expect(Change(kind: .removed, collection: nil, key: nil).occasion == .look)
  }

  @Test func `a write that is put off without a time may be sent by whoever can`() {
    let change = { (until: Timestamp?) in
      Change(
        kind: .deferred, collection: "numbers", key: "1", write: Change.Write(1, until: until))
    }
    #expect(change(nil).occasion == .look)
    #expect(change(Timestamp(millisecondsSinceEpoch: 1)).occasion == .nothing)
  }
}
