import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The content of a refusal, and corrections of refused writes.
@Suite struct CorrectionTests: ArticleSuite {
  private static let refusal = Refusal(
    "the text is too long", status: 422,
    headers: ["content-type": "application/problem+json", "x-limit": "10, ä"],
    body: [UInt8](#"{"limit":10}"#.utf8))

  @Test func `a refusal keeps its status, its fields and its body until the write is sent again`()
    async throws
  {
    try await withArticles { temporary, articles in
      let entry = try await articles.write("much too long", for: "1")
      try await articles.drain { _ in .refused(Self.refusal) }
      #expect(try temporary.store.outbox().first?.refusal == Self.refusal)
      #expect(try temporary.store.outbox().first?.failure == "the text is too long")

      try await temporary.store.retry([entry.id])
      #expect(try temporary.store.outbox().first?.refusal == nil)
    }
  }

  @Test func `only so much of a body is kept, and words alone are a refusal, too`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "1")
      try await articles.write("b", for: "2")
      let long = [UInt8](repeating: 7, count: Refusal.bodyLimit + 1)
      try await articles.drain { write in
        write.key == "1" ? .refused(Refusal("long", body: long)) : .refused("no")
      }
      let parked = try temporary.store.outbox(state: .parked)
      #expect(parked.map(\.refusal?.body.count) == [Refusal.bodyLimit, 0])
      #expect(parked.map(\.failure) == ["long", "no"])
    }
  }

  @Test func `a parked write is corrected and sent again, with its kind and in its place`()
    async throws
  {
    try await withArticles { temporary, articles in
      let first = try await articles.write(
        "much too long", for: "1", as: .create,
        options: WriteOptions(tags: ["t"], address: "https://a/", priority: 3))
      try await articles.write("behind", for: "1")
      try await articles.drain { _ in .refused(Self.refusal) }
      let corrected = try #require(try await articles.correct(first, to: "short"))

      #expect(corrected.id == first.id && corrected.kind == .create && corrected.state == .waiting)
      #expect(corrected.idempotencyKey != first.idempotencyKey && corrected.attempts == 0)
      #expect(corrected.priority == 3 && corrected.refusal == nil && corrected.failure == nil)
      // The later write is what is shown.
      #expect(try articles.value("1") == "behind")
      let sent = Sent<String>()
      for _ in 1...2 {
        try await articles.drain { write in
          sent.add(write)
          return .accepted
        }
      }
      #expect(sent.all.map(\.value) == ["short", "behind"])
      #expect(sent.all.map(\.kind) == [.create, .replace])
    }
  }

  @Test func `a corrected write is served at once, and observers hear of it`() async throws {
    try await withArticles { temporary, articles in
      let entry = try await articles.write("much too long", for: "1")
      try await articles.drain { _ in .refused("no") }
      let changes = articles.changes()
      try await articles.correct(entry, to: "short")

      #expect(try articles.value("1") == "short")
      var heard = changes.makeAsyncIterator()
      let change = await heard.next()
      #expect(change?.kind == .written && change?.write?.id == entry.id)
    }
  }

  @Test func `what cannot be corrected says why, and stays`() async throws {
    try await withArticles { temporary, articles in
      let deletion = try #require(try await articles.writeDeletion(of: "1"))
      let patch = try await articles.write(
        "b", for: "2", as: .patch([1], contentType: "application/merge-patch+json"))
      let held = try await articles.write("c", for: "3")
      for (entry, patch) in [(deletion, nil), (patch, nil), (held, [UInt8(1)])] {
        do throws(StoreError) {
          try await articles.correct(entry, to: "x", patch: patch)
          Issue.record("\(entry.id) was corrected")
        } catch {
          guard case .invalidArgument = error.code else { throw error }
        }
      }
      let due = try await temporary.store.dueWrites(limit: 9)
      do throws(StoreError) {
        try await articles.correct(held, to: "x")
        Issue.record("it was corrected while it was held")
      } catch {
        #expect(error.code == .beingPushed)
      }
      try await temporary.store.giveBack(due)
      let gone = try await articles.write("d", for: "4")
      try await temporary.store.drop([gone.id])
      #expect(try await articles.correct(gone, to: "x") == nil)
      let others = try temporary.store.collection("others", of: String.self)
      #expect(try await others.correct(held, to: "x") == nil)
      #expect(try articles.value("3") == "c")
      #expect(try await articles.correct(patch, to: "x", patch: [2])?.size == 1)
    }
  }

  @Test func `a correction that breaks the rules changes nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, admitting: .length(max: 20))
      let entry = try await articles.write("much too long", for: "1")
      try await articles.drain { _ in .refused("no") }
      await #expect(throws: StoreError.self) {
        try await articles.correct(entry, to: String(repeating: "x", count: 21))
      }
      #expect(try temporary.store.outbox().first?.state == .parked)
      #expect(try articles.value("1") == "much too long")
    }
  }

  @Test func `after so many attempts, or at such an age, a write that fails is parked`()
    async throws
  {
    try await withArticles { temporary, articles in
      let store = temporary.store
      for (key, limits, failures) in [
        ("a", PushLimits(attempts: 3), 3), ("b", PushLimits(age: .seconds(1)), 2),
        ("c", PushLimits(attempts: 1), 1),
      ] {
        try await articles.write("x", for: key)
        for number in 1...failures {
          let due = try await store.dueWrites(limit: 9)
          _ = await articles.push(due, limits: limits) { _ in throw OriginFailure() }
          #expect(
            try store.outbox(key: key).map(\.state) == [number < failures ? .waiting : .parked])
          temporary.clock.advance(by: .seconds(3600))
        }
        #expect(try store.outbox(key: key).first?.failure?.contains("given up") == true)
        try await store.drop(store.outbox(key: key).map(\.id))
      }
    }
  }

  /// The states of the only write after four rounds, after two of which something happens.
  private func states(
    in temporary: TemporaryStore, ofRounds attempt: ([DueWrite]) async -> Void,
    afterTwo happens: () async throws -> Void
  ) async throws -> [OutboxEntry.State] {
    var states: [OutboxEntry.State] = []
    for round in 1...4 {
      await attempt(try await temporary.store.dueWrites(limit: 9))
      states += try temporary.store.outbox().map(\.state)
      temporary.clock.advance(by: .seconds(3600))
      if round == 2 { try await happens() }
    }
    return states
  }

  @Test(
    arguments: [PushLimits(attempts: 2), PushLimits(age: .seconds(60))], [false, true])
  func `limits count anew after a retry, and after a correction`(
    limits: PushLimits, isCorrected: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let entry = try await articles.write("x", for: "1")
      let states = try await states(in: temporary) { due in
        _ = await articles.push(due, limits: limits) { _ in throw OriginFailure() }
      } afterTwo: {
        if isCorrected {
          try await articles.correct(entry, to: "y")
        } else {
          try await temporary.store.retry([entry.id])
        }
      }
      #expect(states == [.waiting, .parked, .waiting, .parked])
    }
  }

  @Test func `conflicts in a row count anew after a retry`() async throws {
    try await withArticles { temporary, articles in
      let entry = try await articles.write("x", for: "1")
      let limits = PushLimits(attempts: 4)
      let states = try await states(in: temporary) { due in
        _ = await articles.push(due, conflicts: .clientWins, limits: limits) { _ in
          .conflict(.value("theirs"))
        }
      } afterTwo: {
        try await temporary.store.retry([entry.id])
      }
      #expect(states == [.waiting, .parked, .waiting, .parked])
    }
  }

  @Test func `an upload may take longer by its size`() {
    let limits = PushLimits(slowestUpload: 1000)
    #expect(limits.time(.seconds(30), size: 0) == .seconds(30))
    #expect(limits.time(.seconds(30), size: 5_000_000) == .seconds(5030))
    #expect(PushLimits().time(.seconds(30), size: 5_000_000) == .seconds(30))
    #expect(PushLimits(slowestUpload: 0).time(.seconds(30), size: .max) == .seconds(30))
    #expect(limits.time(.seconds(30), size: .max) > .seconds(30))
  }

  @Test func `a corrected creation whose answer was lost does not cancel out`() async throws {
    try await withArticles { temporary, articles in
      let entry = try await articles.write("long", for: "1", as: .create)
      try await articles.drain { _ in throw OriginFailure() }
      try await articles.correct(entry, to: "short")
      let gone = try await articles.writeDeletion(of: "1", options: WriteOptions(coalesces: true))
      #expect(gone?.kind == .delete)
      #expect(try temporary.store.outbox().count == 2)
    }
  }

  @Test func `a content that came under the number meanwhile is not corrected by accident`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bare = try temporary.store.collection("articles", of: String.self)
      let entry = try await bare.write("long", for: "1")
      let rule = AsyncRule<String>(code: "waits", message: "it waits") { value in
        if value == "short" {
          // A failure shows below: the write is not a deletion then.
          _ = try? await bare.writeDeletion(of: "1", options: WriteOptions(coalesces: true))
        }
        return true
      }
      let articles = try temporary.store.collection("articles", of: String.self)
        .admitting(awaiting: rule)
      do throws(StoreError) {
        try await articles.correct(entry, to: "short")
        Issue.record("it was corrected")
      } catch {
        #expect(error.code == .changedMeanwhile)
      }
      #expect(try temporary.store.outbox().map(\.kind) == [.delete])
      #expect(try temporary.store.outbox().map(\.size) == [0])
    }
  }

  @Test func `a correction of what was seen does not overwrite a merge that has taken its place`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in .conflict(.value("theirs")) }
      let seen = try #require(try temporary.store.outbox(state: .parked).first)
      // Meanwhile somebody has it sent again, and the merge waits under the same number.
      try await temporary.store.retry([seen.id])
      try await articles.drain(conflicts: .merge { _ in .merged("both") }) { write in
        if write.value == "both" { throw OriginFailure() }
        return .conflict(.value("theirs"))
      }
      do throws(StoreError) {
        try await articles.correct(seen, to: "mine, corrected")
        Issue.record("the merge was overwritten")
      } catch {
        #expect(error.code == .changedMeanwhile && error.key == "1")
      }
      #expect(try articles.value("1") == "both")

      let merged = try #require(try temporary.store.outbox().first)
      #expect(try await articles.correct(merged, to: "both, corrected")?.id == seen.id)
      #expect(try articles.value("1") == "both, corrected")
    }
  }

  /// A source that holds one value under a version, and takes a write upon that alone.
  private actor Shelf {
    var held: (value: String, tag: String)?

    init(_ value: String, _ tag: String) { held = (value, tag) }

    func hold(_ value: String?, _ tag: String) { held = value.map { ($0, tag) } }

    private var state: Fetched<String> {
      held.map {
        .value($0.value, FetchDetails(expiry: .never, validators: Validators(entityTag: $0.tag)))
      } ?? .gone
    }

    func take(_ write: PendingWrite<String>) -> Pushed<String> {
      let isMet =
        write.kind == .create || write.isBaseAbsent
        ? held == nil : held != nil && write.baseValidators.entityTag == held?.tag
      guard isMet else { return .conflict(state) }
      held = write.value.map { ($0, "\"of \($0)\"") }
      return .accepted(FetchDetails(validators: Validators(entityTag: held?.tag)))
    }
  }

  @Test(
    arguments: [WriteKind.replace, .create, .patch([1], contentType: "a/b")],
    ["theirs", nil] as [String?])
  func `a correction of a conflict goes over what the write has met, and over nothing later`(
    kind: WriteKind, theirs: String?
  ) async throws {
    try await withArticles { temporary, articles in
      if kind != .create {
        try await articles.put(
          "base", for: "1", details: FetchDetails(validators: Validators(entityTag: "\"1\"")))
      }
      let shelf = Shelf("another", "\"2\"")
      try await articles.write("mine", for: "1", as: kind)
      if theirs == nil, kind == .create {
        // It is met first, and has gone when the write is sent again.
        try await articles.drain { await shelf.take($0) }
        try await temporary.store.retry(temporary.store.outbox().map(\.id))
        await shelf.hold(nil, "")
        #expect(try await articles.drain { await shelf.take($0) }["1"]?.words == "accepted mine")
        return
      }
      await shelf.hold(theirs, "\"2\"")
      #expect(
        try await articles.drain { await shelf.take($0) }["1"]?.words
          == "parked: the source holds another change")
      let parked = try #require(try temporary.store.outbox(state: .parked).first)
      let conflict = try #require(try articles.conflict(of: parked))
      #expect(conflict.base == (kind == .create ? nil : "base"))
      #expect(conflict.local == "mine" && conflict.remote == theirs)

      let patch: [UInt8]? = if case .patch = kind { [2] } else { nil }
      try await articles.correct(parked, to: "both", patch: patch)
      // Meanwhile it has changed once more: nothing is overwritten unseen.
      await shelf.hold("later", "\"3\"")
      #expect(
        try await articles.drain { await shelf.take($0) }["1"]?.words
          == "parked: the source holds another change")
      await #expect(throws: StoreError.self) {
        try await articles.correct(parked, to: "unseen", patch: patch)
      }
      let again = try #require(try temporary.store.outbox(state: .parked).first)
      #expect(try articles.conflict(of: again)?.remote == "later")
      try await articles.correct(again, to: "all", patch: again.kind == .patch ? patch : nil)
      #expect(try await articles.drain { await shelf.take($0) }["1"]?.words == "accepted all")
      #expect(try articles.value("1") == "all")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a retry of a write that has met another change asks its source again`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put(
        "base", for: "1", details: FetchDetails(validators: Validators(entityTag: "\"1\"")))
      let shelf = Shelf("theirs", "\"2\"")
      let entry = try await articles.write("mine", for: "1")
      try await articles.drain { await shelf.take($0) }
      // The other change is taken back.
      await shelf.hold("base", "\"1\"")
      try await temporary.store.retry([entry.id])
      #expect(try await articles.drain { await shelf.take($0) }["1"]?.words == "accepted mine")
    }
  }

  @Test func `a dropped write that has met another change leaves what it has met, marked`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("base", for: "1")
      let entry = try await articles.write("mine", for: "1")
      try await articles.drain { _ in .conflict(.value("theirs")) }
      #expect(try articles.value("1") == "mine")
      try await temporary.store.drop([entry.id])
      #expect(try articles.value("1") == "theirs")
      #expect(try articles.read("1").decision.outcome == .stale)
    }
  }

  @Test func `a clock that is set ahead during an attempt gives no write up by its age`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("x", for: "1")
      let (clock, limits) = (temporary.clock, PushLimits(age: .seconds(3600)))
      for _ in 1...2 {
        let due = try await temporary.store.dueWrites(limit: 9)
        _ = await articles.push(due, limits: limits) { _ in
          clock.stepWall(by: .seconds(86_400_000))
          throw OriginFailure()
        }
        #expect(try temporary.store.outbox().map(\.state) == [.waiting])
        clock.advance(by: .seconds(60))
      }
    }
  }

  @Test func `a clock that is set ahead gives no write up by its age`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("x", for: "1")
      let limits = PushLimits(age: .seconds(3600))
      for _ in 1...2 {
        temporary.clock.stepWall(by: .seconds(86_400))
        let due = try await temporary.store.dueWrites(limit: 9)
        _ = await articles.push(due, limits: limits) { _ in throw OriginFailure() }
        #expect(try temporary.store.outbox().map(\.state) == [.waiting])
        temporary.clock.advance(by: .seconds(60))
      }
    }
  }
}
