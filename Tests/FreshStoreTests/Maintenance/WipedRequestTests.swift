import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Work that began before a wipe, and gets its turn after it, belongs to the user who was signed in
/// before.
@Suite(.timeLimit(.minutes(2))) struct WipedRequestTests {
  /// The kinds of work that take a lease, a number or a place in the outbox.
  enum Work: CaseIterable {
    case get, list, question, write

    /// Comes to its turn, having begun at a number.
    func comeUp(in store: Store, begun: Int64) throws {
      let (storage, now, time) = (store.storage, store.now(), Duration.seconds(60))
      switch self {
      case .get:
        _ = try storage.claim(
          "notes", ["1"], owner: store.owner, for: time, begun: begun, now: now)
      case .list:
        _ = try storage.claimList(
          "all", in: "notes", owner: store.owner, for: time, begun: begun, now: now)
      case .question: _ = try storage.ask(begun: begun, now: now)
      case .write:
        let notes = try store.collection("notes", of: String.self)
        let local = Storage.LocalWrite(
          write: notes.entry(.delete, "1", WriteOptions()), expiry: .unstated, coalesces: false)
        _ = try storage.write([local], in: "notes", begun: begun, now: now)
      }
    }
  }

  @Test(arguments: Work.allCases, [false, true])
  func `work from before is refused when its turn comes, and later work is not`(
    _ work: Work, isWipedElsewhere: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let store = temporary.store
      let begun = try #require(store.numberOfRequest())
      try await (isWipedElsewhere ? other : store).wipe()

      let failure = await storeFailure { try work.comeUp(in: store, begun: begun) }
      #expect(failure?.code == .wiped)
      let raw = try RawDatabase(temporary.path)
      #expect(
        try raw.integer("SELECT (SELECT count(*) FROM lease) + (SELECT count(*) FROM outbox)") == 0)

      try work.comeUp(in: store, begun: try #require(store.numberOfRequest()))
      try await other.close()
    }
  }

  @Test func `a get that waits for another store's fetch asks nobody afterwards`() async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("notes", of: String.self)
      let there = try other.collection("notes", of: String.self)
      let (first, second) = (
        ScriptedOrigin<String> { _ in .value("old") }, ScriptedOrigin<String> { _ in .value("old") }
      )
      first.hold()

      async let fetched = there.get("1", from: first)
      await first.calls(atLeast: 1)
      async let waiting = here.failure("1", from: second)
      while !log.events.contains(where: { if case .waitedForLease = $0 { true } else { false } }) {
        await Task.yield()
      }
      try await other.wipe()
      let failure = await waiting
      first.release()
      _ = try await fetched

      #expect(failure?.code == .store && failure?.storeFailure?.code == .wiped)
      #expect(second.calls == 0)
      #expect(try temporary.store.list().isEmpty)
      #expect(try await here.get("1", from: second).value == "old")
      try await other.close()
    }
  }

  /// The ways to write locally.
  enum Writing: CaseIterable {
    case write, based, batch, update

    func run(in notes: RecordCollection<String>) async throws {
      switch self {
      case .write: try await notes.write("mine", for: "1")
      case .based:
        try await notes.write("mine", for: "1", basedOn: try notes.read("1").basis)
      case .batch: try await notes.write(["1": "mine", "2": "mine"])
      case .update: try await notes.update("1") { $0 = "mine" }
      }
    }
  }

  @Test(arguments: Writing.allCases)
  func `a local write is not made when all is wiped while a rule takes its time`(
    _ writing: Writing
  ) async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let notes = try store.collection("notes", of: String.self)
      try await notes.put("theirs", for: "1")
      let wiping = AsyncRule<String>(code: "wiping") { _ in
        do throws(StoreError) {
          try await store.wipe()
          return true
        } catch {
          return false
        }
      }

      let failure = await storeFailure {
        try await writing.run(in: notes.admitting(awaiting: wiping))
      }

      #expect(failure?.code == .wiped)
      #expect(try store.outbox().isEmpty && store.list().isEmpty)
    }
  }
}
