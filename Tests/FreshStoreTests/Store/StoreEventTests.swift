import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The texts of the events that reporters receive.
@Suite struct StoreEventTests {
  @Test func `a fetch is named by its first key and the number of keys`() {
    let event = StoreEvent.fetchBegan(collection: "notes", keys: ["a", "b"])
    #expect(event.name == "fetch-began")
    #expect(event.figures == ["collection": "notes", "key": "a", "keys": "2"])
  }

  @Test func `the end of a fetch states its duration, and its failure if there was one`() {
    let ended = StoreEvent.fetchEnded(
      collection: "notes", keys: ["a"], duration: .milliseconds(1500), failure: nil)
    #expect(ended.name == "fetch-ended")
    #expect(ended.figures["milliseconds"] == "1500")
    #expect(ended.figures["failure"] == nil)
    let failed = StoreEvent.fetchEnded(
      collection: "notes", keys: ["a"], duration: .zero,
      failure: FetchFailure(.thrown, "the source said no"))
    #expect(failed.figures["failure"] == "the source said no")
  }

  @Test func `the duration of a fetch is measured by the clock`() async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        temporary.clock.advance(by: .milliseconds(1500))
        return .value("one")
      }
      try await notes.get("1", from: origin)
    }
    let ended = log.events.filter { $0.name == "fetch-ended" }.map(\.figures)
    #expect(ended.map { $0["milliseconds"] } == ["1500"])
  }

  @Test func `a failure to store is reported with its error`() {
    let error = StoreError(.full, .put, collection: "notes", key: "a")
    #expect(StoreEvent.notStored(error).figures == ["error": "\(error)"])
    #expect(StoreEvent.notStored(error).name == "not-stored")
  }

  @Test func `a wait for a lease names its owner, without the query of an address`() {
    let event = StoreEvent.waitedForLease(
      collection: "http", key: "https://a.example/b?secret", owner: "7")
    #expect(event.name == "waited-for-lease")
    #expect(
      event.figures == ["collection": "http", "key": "https://a.example/b?…", "owner": "7"])
  }

  @Test func `sweeps and prunes are reported by their counts`() {
    var swept = SweepResult()
    (swept.examined, swept.marked, swept.batches) = (9, 4, 2)
    var pruned = PruneResult()
    (pruned.removed, pruned.bytes) = (3, 700)
    #expect(
      StoreEvent.swept(swept).figures == ["examined": "9", "marked": "4", "batches": "2"])
    #expect(StoreEvent.pruned(pruned).figures == ["removed": "3", "bytes": "700"])
  }

  @Test func `a decision is reported with the age of its copy`() async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      _ = try notes.read("1")
      try await notes.put("one", for: "1")
      temporary.clock.advance(by: .milliseconds(250))
      _ = try notes.read("1")
    }
    let decided = log.events.filter { $0.name == "decided" }.map(\.figures)
    #expect(decided.map { $0["outcome"] } == ["missing", "fresh"])
    #expect(decided.map { $0["age-milliseconds"] } == [nil, "250"])
    #expect(decided.allSatisfy { $0["collection"] == "notes" && $0["key"] == "1" })
  }

  @Test func `dropped writes are reported together`() async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      for key in ["1", "2"] { try await notes.write("one", for: key) }
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
    }
    let discarded = log.events.filter { $0.name == "discarded" }.map(\.figures)
    #expect(discarded.map { $0["writes"] } == ["1 2"])
  }

  @Test func `dropping nothing is no event`() async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let dropped = try await temporary.store.drop([])
      #expect(dropped.isEmpty)
    }
    #expect(!log.events.contains { $0.name == "discarded" })
  }
}
