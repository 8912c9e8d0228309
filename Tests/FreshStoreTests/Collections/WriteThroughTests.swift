import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Synchronization
import Testing

/// The caller's writes through to the source: Harmony's write table, and section 9, answer 25,
/// on the behaviour when the copy fails.
@Suite struct WriteThroughTests {
  private struct Refused: Error {}

  /// The source of a write.
  private final class Source: Sendable {
    private let isRefusing: Bool
    private let state = Mutex<[String]>([])

    init(isRefusing: Bool = false) { self.isRefusing = isRefusing }

    var sent: [String] { state.withLock { $0 } }

    func take(_ value: String) throws -> String {
      state.withLock { $0.append(value) }
      if isRefusing { throw Refused() }
      return value + " of the source"
    }
  }

  private func run(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("old", for: "1")
      try await body(temporary, articles)
    }
  }

  /// The operations that come while a source is asked.
  enum Meanwhile: CaseIterable {
    case nothing, mark, tagMark, otherValue, sameValue
  }

  @Test(arguments: Meanwhile.allCases, [true, false])
  func `an operation during a write is not undone by it`(
    _ meanwhile: Meanwhile, isPut: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let there = try temporary.another()
      let others = try there.collection("articles", of: String.self)
      let happen: @Sendable () async throws -> Void = {
        switch meanwhile {
        case .nothing: break
        case .mark: try await others.markStale("1")
        case .tagMark: try await there.markStale(tag: "news")
        case .otherValue:
          _ = try await others.get("1", policy: .sourceFirst) { _ in .value("other") }
        case .sameValue:
          _ = try await others.get("1", policy: .sourceFirst) { _ in .value("new") }
        }
        _ = try await there.sweep()
      }
      let details = FetchDetails(expiry: .never, tags: ["news"])
      let plain = try temporary.store.collection("articles", of: String.self)
      try await plain.put("old", for: "1")
      if isPut {
        let ruled = plain.admitting(
          awaiting: AsyncRule(code: "x") { _ in
            do { try await happen() } catch { return false }
            return true
          })
        try await ruled.put("new", for: "1", details: details)
      } else {
        _ = try await plain.writeThrough("new", for: "1", details: details) { value in
          try await happen()
          return value
        }
      }
      try await there.close()

      let isFresh = meanwhile == .nothing || meanwhile == .sameValue
      #expect(try plain.read("1").copy?.value == "new")
      #expect(try plain.read("1").decision.outcome == (isFresh ? .fresh : .stale))
      #expect(try RawDatabase(temporary.path).integer("SELECT count(*) FROM lease") == 0)
    }
  }

  @Test(arguments: [true, false])
  func `a mark is not lost when a write takes longer than its question is kept`(
    _ isPut: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let there = try temporary.another()
      let happen: @Sendable () async throws -> Void = {
        temporary.clock.advance(by: .seconds(601))
        try await there.markStale(tag: "news")
        _ = try await there.sweep()
      }
      let details = FetchDetails(expiry: .never, tags: ["news"])
      let plain = try temporary.store.collection("articles", of: String.self)
      try await plain.put("old", for: "1")
      if isPut {
        let ruled = plain.admitting(
          awaiting: AsyncRule(code: "x") { _ in
            do { try await happen() } catch { return false }
            return true
          })
        try await ruled.put("new", for: "1", details: details)
      } else {
        _ = try await plain.writeThrough("new", for: "1", details: details) { value in
          try await happen()
          return value
        }
      }
      try await there.close()

      #expect(try plain.read("1").copy?.value == "new")
      #expect(try plain.read("1").decision.outcome == .stale)
    }
  }

  @Test func `a write that its source refuses leaves no question open`() async throws {
    try await run { temporary, articles in
      let source = Source(isRefusing: true)
      await #expect(throws: WriteError.self) {
        _ = try await articles.writeThrough("new", for: "1") { try source.take($0) }
      }
      let open = try RawDatabase(temporary.path).integer("SELECT count(*) FROM lease")
      #expect(open == 0)
    }
  }

  @Test(arguments: [
    (WriteOrder.bypass, "new of the source", "old", ["new"]),
    (.cacheOnly, "new", "new", []),
    (.sourceFirst, "new of the source", "new of the source", ["new"]),
    (.cacheFirst, "new of the source", "new", ["new"]),
  ])
  func `a write reaches the source and the copy as its order says`(
    order: WriteOrder, value: String, copy: String, sent: [String]
  ) async throws {
    try await run { _, articles in
      let source = Source()
      let written = try await articles.writeThrough("new", for: "1", order: order) {
        try source.take($0)
      }

      #expect(written.value == value && written.storeFailure == nil)
      #expect(try articles.read("1").copy?.value == copy)
      #expect(source.sent == sent)
    }
  }

  @Test(arguments: [
    (WriteOrder.bypass, "old", false), (.sourceFirst, "old", false), (.cacheFirst, "new", true),
  ])
  func `a refusal by the source reports whether the copy has the value`(
    order: WriteOrder, copy: String, stands: Bool
  ) async throws {
    try await run { _, articles in
      let source = Source(isRefusing: true)
      do throws(WriteError) {
        _ = try await articles.writeThrough("new", for: "1", order: order) { try source.take($0) }
        Issue.record("nobody refused")
      } catch {
        guard case .source(let reason, let isStored) = error else { throw error }
        #expect(reason is Refused && isStored == stands)
        #expect("\(error)".contains(stands ? "stands in the store" : "nothing was stored"))
      }
      #expect(try articles.read("1").copy?.value == copy)
    }
  }

  @Test func `a failed copy is reported although the source accepted the value`() async throws {
    try await run { temporary, articles in
      let source = Source()
      try await temporary.store.close()
      let written = try await articles.writeThrough("new", for: "1") { try source.take($0) }

      #expect(written.value == "new of the source" && written.storeFailure?.code == .closed)
    }
  }

  @Test(arguments: [WriteOrder.cacheOnly, .cacheFirst])
  func `a copy that comes first and fails prevents the request to the source`(
    order: WriteOrder
  ) async throws {
    try await run { temporary, articles in
      let source = Source()
      try await temporary.store.close()
      do throws(WriteError) {
        _ = try await articles.writeThrough("new", for: "1", order: order) { try source.take($0) }
        Issue.record("nobody refused")
      } catch {
        guard case .store(let failure) = error else { throw error }
        #expect(failure.code == .closed && "\(error)".contains("the source was not asked"))
      }
      #expect(source.sent.isEmpty)
    }
  }

  @Test(arguments: [WriteOrder.sourceFirst, .bypass], [true, false])
  func `nothing is sent past a local write, which would go out over it`(
    order: WriteOrder, isDeletion: Bool
  ) async throws {
    try await run { temporary, articles in
      try await articles.write("mine", for: "1")
      let source = Source()
      do throws(WriteError) {
        if isDeletion {
          try await articles.deleteThrough("1", order: order) { _ = try source.take("gone") }
        } else {
          _ = try await articles.writeThrough("new", for: "1", order: order) {
            try source.take($0)
          }
        }
        Issue.record("it was sent")
      } catch {
        guard case .store(let failure) = error else { throw error }
        #expect(failure.code == .pendingWrite && source.sent.isEmpty)
      }
      #expect(try temporary.store.outbox().count == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a copy that is fetched while a write that was stored first is sent is not fresh`(
    isDeletion: Bool
  ) async throws {
    try await run { temporary, articles in
      let fetch: () async throws -> Void = {
        _ = try await articles.get("1", policy: .sourceFirst) { _ in .value("from before") }
      }
      if isDeletion {
        try await articles.deleteThrough("1", order: .cacheFirst) { try await fetch() }
      } else {
        _ = try await articles.writeThrough("new", for: "1", order: .cacheFirst) { value in
          try await fetch()
          return value
        }
      }
      #expect(try articles.read("1").decision.outcome == .stale)
      #expect(try RawDatabase(temporary.path).integer("SELECT count(*) FROM lease") == 0)
    }
  }

  @Test func `what cannot be stored after the source has taken it leaves no fresh copy`()
    async throws
  {
    try await run { _, articles in
      let ruled = articles.admitting(Rule(code: "x") { $0 != "refused here" })
      let written = try await ruled.writeThrough("new", for: "1") { _ in "refused here" }
      #expect(written.storeFailure != nil)
      #expect(try articles.read("1").decision.outcome == .stale)
    }
  }

  // MARK: Deleting

  @Test(arguments: [
    (WriteOrder.bypass, "old" as String?, 1), (.cacheOnly, nil, 0), (.sourceFirst, nil, 1),
    (.cacheFirst, nil, 1),
  ])
  func `a deletion reaches the source and the copy as its order says`(
    order: WriteOrder, copy: String?, asked: Int
  ) async throws {
    try await run { _, articles in
      let source = Source()
      let failure = try await articles.deleteThrough("1", order: order) {
        _ = try source.take("gone")
      }

      #expect(failure == nil && source.sent.count == asked)
      #expect(try articles.read("1").copy?.value == copy)
    }
  }

  @Test(arguments: [
    (WriteOrder.bypass, "old" as String?, false), (.sourceFirst, "old", false),
    (.cacheFirst, nil, true),
  ])
  func `a refused deletion at the source reports whether the copy is gone`(
    order: WriteOrder, copy: String?, isGone: Bool
  ) async throws {
    try await run { _, articles in
      let source = Source(isRefusing: true)
      do throws(WriteError) {
        try await articles.deleteThrough("1", order: order) { _ = try source.take("gone") }
        Issue.record("nobody refused")
      } catch {
        guard case .source(let reason, let isStored) = error else { throw error }
        #expect(reason is Refused && isStored == isGone)
      }
      #expect(try articles.read("1").copy?.value == copy)
    }
  }

  @Test(arguments: WriteOrder.allCases)
  func `a deletion that the store refuses is reported`(order: WriteOrder) async throws {
    try await run { temporary, articles in
      let source = Source()
      try await temporary.store.close()
      do throws(WriteError) {
        let failure = try await articles.deleteThrough("1", order: order) {
          _ = try source.take("gone")
        }
        #expect(failure?.code == (order == .sourceFirst ? .closed : nil))
        #expect(order == .sourceFirst || order == .bypass)
      } catch {
        guard case .store(let failure) = error else { throw error }
        #expect(failure.code == .closed && source.sent.isEmpty)
        #expect(order == .cacheFirst || order == .cacheOnly)
      }
    }
  }

  @Test func `a deletion leaves a value that is put while its source deletes, as a stale one`()
    async throws
  {
    try await run { _, articles in
      let failure = try await articles.deleteThrough("1") {
        try await articles.put("mine", for: "1")
      }
      #expect(failure == nil)
      let read = try articles.read("1")
      #expect(read.copy?.value == "mine" && read.decision.outcome == .stale)
      #expect(try await articles.deleteThrough("1") {} == nil)
      #expect(try articles.read("1").copy == nil)
    }
  }

  @Test func `a deletion that a wipe overtakes removes nothing that comes after it`() async throws {
    try await run { temporary, articles in
      _ = try await articles.deleteThrough("1") {
        try await temporary.store.wipe()
        try await articles.put("of the next user", for: "1")
      }
      #expect(try articles.value("1") == "of the next user")
    }
  }
}
