import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The store's work for a caller that judges its records by rules of its own.
@Suite struct CallersOwnJudgementTests {
  private let details = FetchDetails(
    expiry: .after(.seconds(60)), variant: "en", metadata: "first")

  private func changes(_ key: String, _ value: String, _ details: FetchDetails)
    -> CopyChanges<String>
  {
    var changes = CopyChanges<String>()
    changes.additions = [CopyChanges.Addition(key, value, details)]
    return changes
  }

  @Test func `a record is told with its age and its mark, whether it has expired or not`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      #expect(try pages.kept("1") == nil)
      try await pages.put("one", for: "1", details: details)
      for _ in 1...2 {
        temporary.clock.advance(by: .seconds(50))
        let kept = try #require(try pages.kept("1"))
        #expect(kept.value == "one")
        #expect(kept.variant == "en")
        #expect(kept.metadata == "first")
        #expect(kept.mark == nil)
      }
      #expect(try pages.kept("1")?.age == .seconds(100))
      // That it has expired is no mark of anybody's.
      _ = try await temporary.store.sweep()
      #expect(try pages.kept("1")?.mark == nil)
      try await pages.markStale("1", reason: "changed")
      #expect(try pages.kept("1")?.mark == "changed")
      try await pages.put("one", for: "1", details: details)
      try await pages.markStale(prefix: "1", reason: "all changed")
      #expect(try pages.kept("1")?.mark == "all changed")
    }
  }

  @Test func `an answer is stored behind its own mark, unless something came before that`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let now = temporary.clock.reading()
      try await pages.put("one", for: "1", details: details)
      let before = try #require(pages.numberSoFar())
      let request = try #require(
        try await pages.request(marking: "1", reason: "changed", ifStillAt: before))
      #expect(try pages.kept("1")?.mark == "changed")
      try await pages.update(changes("1", "two", details), answering: request, about: "1", at: now)
      #expect(try pages.kept("1")?.value == "two")
      #expect(try pages.kept("1")?.mark == nil)
      let late = try await pages.request(marking: "1", reason: "changed again", ifStillAt: before)
      #expect(late == nil)
      #expect(try pages.kept("1")?.mark == "changed again")
    }
  }

  @Test func `an answer that is stored behind its own mark is covered by a later one`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let now = temporary.clock.reading()
      let before = try #require(pages.numberSoFar())
      let request = try #require(
        try await pages.request(marking: "1", reason: "changed", ifStillAt: before))
      try await pages.markStale("1", reason: "changed again")
      try await pages.update(changes("1", "one", details), answering: request, about: "1", at: now)
      #expect(try pages.kept("1")?.mark == "changed again")
    }
  }

  @Test func `metadata alone comes back from memory`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put("one", for: "1", details: FetchDetails(metadata: "alone"))
      for _ in 1...3 { #expect(try pages.kept("1")?.metadata == "alone") }
    }
  }

  @Test func `a head is read without its value`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put("one", for: "1", details: details)
      try await pages.markStale(prefix: "1", reason: "all changed")
      temporary.clock.advance(by: .seconds(5))
      let other = try temporary.another()
      let others = try other.collection("pages", of: String.self)
      let head = try #require(try others.keptHead("1"))
      #expect(head.value == nil)
      #expect(head.size > 0)
      #expect(head.variant == "en" && head.metadata == "first")
      #expect(head.age == .seconds(5))
      #expect(head.mark == "all changed")
      #expect(try others.keptHead("2") == nil)
      try await other.close()
    }
  }

  @Test func `keys are listed by their beginning`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put(["a": "", "a#1": "", "a#2": "", "a$": "", "b#1": ""])
      #expect(try pages.keys(beginningWith: "a#", limit: 10) == ["a#1", "a#2"])
      #expect(try pages.keys(beginningWith: "a#", limit: 1) == ["a#1"])
      #expect(try pages.keys(beginningWith: "c", limit: 10) == [])
    }
  }

  @Test func `a key has one exclusive request at a time, in all stores`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let other = try temporary.another()
      let others = try other.collection("pages", of: String.self)
      let request = try #require(try await pages.request(exclusively: "1"))
      #expect(request.isExclusive)
      #expect(try await others.request(exclusively: "1") == nil)
      #expect(try await others.request(exclusively: "2") != nil)
      await pages.end(request)
      #expect(await others.waitForLease(of: "1", atMost: .seconds(30)))
      #expect(try await others.request(exclusively: "1") != nil)
      try await other.close()
    }
  }

  @Test func `a request is up to date until something that it may not know of has come`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let other = try temporary.another()
      let others = try other.collection("pages", of: String.self)
      func isUpToDate(_ request: SourceRequest, _ tags: Set<String>? = []) throws -> Bool {
        try pages.isUpToDate(request, about: ["1", "1#a"], tags: tags)
      }
      let first = try #require(try await pages.request(exclusively: "1"))
      try await others.markStale("2")
      try await others.markStale(prefix: "2")
      #expect(try isUpToDate(first, nil))
      try await other.markStale(tag: "news")
      #expect(try isUpToDate(first, ["sport"]))
      #expect(try !isUpToDate(first, ["news", "sport"]))
      #expect(try !isUpToDate(first, nil))
      let second = try await pages.request()
      #expect(try isUpToDate(second, nil))
      try await others.markStale(prefix: "1#")
      #expect(try !isUpToDate(second))
      let third = try await pages.request()
      try await others.markStale("1")
      #expect(try !isUpToDate(third))
      let last = try await pages.request()
      #expect(try isUpToDate(last, nil))
      for request in [first, second, third, last] { await pages.end(request) }
      #expect(try !isUpToDate(last))
      try await other.close()
    }
  }

  @Test func `an overtaken request is not up to date`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let leased = try #require(try await pages.request(exclusively: "1"))
      let free = try await pages.request()
      for request in [leased, free] {
        #expect(try pages.isUpToDate(request, about: ["1"], tags: nil))
      }
      try await pages.remove("1")
      for request in [leased, free] {
        #expect(try !pages.isUpToDate(request, about: ["1"], tags: []))
      }
      let wiped = try await pages.request()
      try await temporary.store.wipe()
      #expect(try !pages.isUpToDate(wiped, about: ["1"], tags: []))
      for request in [leased, free, wiped] { await pages.end(request) }
    }
  }

  @Test func `a request that a put has overtaken is not up to date`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put(["1": "one", "1#a": "a"], details: details)
      let leased = try #require(try await pages.request(exclusively: "1"))
      let free = try await pages.request()
      for request in [leased, free] {
        #expect(try pages.isUpToDate(request, about: ["1", "1#a"], tags: nil))
      }
      // Of a variant, by another process, as it were: the lease of the address stays.
      let other = try temporary.another()
      try await other.collection("pages", of: String.self).put("b", for: "1#a", details: details)
      for request in [leased, free] {
        #expect(try !pages.isUpToDate(request, about: ["1", "1#a"], tags: nil))
        #expect(try pages.isUpToDate(request, about: ["1"], tags: nil))
      }
      try await pages.put("two", for: "1", details: details)
      for request in [leased, free] {
        #expect(try !pages.isUpToDate(request, about: ["1"], tags: nil))
      }
      let last = try await pages.request()
      #expect(try pages.isUpToDate(last, about: ["1", "1#a"], tags: nil))
      for request in [leased, free, last] { await pages.end(request) }
      try await other.close()
    }
  }

  @Test func `what is stored of earlier requests leaves a request up to date`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let earlier = try await pages.request()
      let request = try await pages.request()
      let stored = try await pages.update(
        changes("1", "one", details), answering: earlier, about: "1",
        at: temporary.clock.reading())
      #expect(stored)
      #expect(try pages.isUpToDate(request, about: ["1"], tags: nil))
      await pages.end(request)
    }
  }

  @Test func `an answer makes all its changes, or none`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put(["1#old": "old", "1#other": "other"], details: details)
      let request = try #require(try await pages.request(exclusively: "1"))
      var changes = changes("1#new", "new", details)
      changes.removals = [try #require(try pages.kept("1#old"))]
      var renewed = details
      renewed.metadata = "second"
      changes.renewals = [(try #require(try pages.kept("1#other")), renewed)]
      changes.marks = [("1#gone", "there is none")]
      let now = temporary.clock.reading()
      #expect(try await pages.update(changes, answering: request, about: "1", at: now))
      #expect(try pages.kept("1#old") == nil)
      #expect(try pages.kept("1#new")?.value == "new")
      #expect(try pages.kept("1#other")?.metadata == "second")
      #expect(try pages.kept("1#other")?.value == "other")
      // The request has ended.
      #expect(try await !pages.update(changes, answering: request, about: "1", at: now))
      #expect(try await pages.request(exclusively: "1") != nil)
    }
  }

  @Test func `an answer without an address to ask waits for no refetch, however stale it is`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let (store, clock) = (temporary.store, temporary.clock)
      let pages = try store.collection("pages", of: String.self)
      for (key, source) in [("copy", nil), ("other", "https://origin.example/")]
        as [(String, String?)]
      {
        var details = self.details
        (details.lastUpdate, details.source) = (clock.reading().wall, source)
        let request = try #require(try await pages.request(exclusively: key))
        try await pages.update(
          changes(key, "value", details), answering: request, about: key, at: clock.reading())
      }
      clock.advance(by: .seconds(100))
      #expect(try await store.sweep().marked == 2)
      #expect(try store.backlog().due == 1)
      try await pages.markStale("copy", reason: "changed")
      try await store.markStale(collection: "pages", reason: "all changed")
      _ = try await store.sweep()
      #expect(try store.backlog().due == 1)
      // Whatever takes its place comes from somebody who may be asked.
      try await pages.put("value", for: "copy", details: details)
      try await pages.markStale("copy")
      #expect(try store.backlog().due == 2)
    }
  }

  @Test func `an answer leaves alone what is another answer by now`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put(["1#a": "a", "1#b": "b"], details: details)
      let request = try #require(try await pages.request(exclusively: "1"))
      var changes = CopyChanges<String>()
      changes.removals = [try #require(try pages.kept("1#a"))]
      changes.renewals = [(try #require(try pages.kept("1#b")), details)]
      var later = details
      later.metadata = "later"
      try await pages.put(["1#a": "a2", "1#b": "b2"], details: later)
      let now = temporary.clock.reading()
      try await pages.update(changes, answering: request, about: "1", at: now)
      #expect(try pages.kept("1#a")?.value == "a2")
      #expect(try pages.kept("1#b")?.value == "b2")
      #expect(try pages.kept("1#b")?.metadata == "later")
    }
  }

  @Test(arguments: [true, false])
  func `a mark of the address covers the variant that is on its way`(isExclusive: Bool)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let request =
        isExclusive
        ? try #require(try await pages.request(exclusively: "1")) : try await pages.request()
      try await pages.markStale("1", reason: "changed")
      let now = temporary.clock.reading()
      try await pages.update(
        changes("1#new", "new", details), answering: request, about: "1", at: now)
      #expect(try pages.kept("1#new")?.mark == "changed")
    }
  }

  @Test(arguments: [
    ([] as [String], true), (["1"], false), (["1#a"], false), (["1#"], false),
    (["1 a", "1$", "2#a"], true),
    (["0", "1!", "1#b", "2"], false),
  ])
  func `a lease tells whether there is an answer whose place that to its request would take`(
    keys: [String], findsNothing: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let others = try temporary.store.collection("others", of: String.self)
      for key in keys { try await pages.put("one", for: key) }
      for key in ["1", "1#a"] { try await others.put("one", for: key) }
      for key in ["1", "1#x"] {
        let request = try #require(
          try await pages.request(exclusively: key, lookingFor: "1", "1#"))
        #expect(request.findsNothing == findsNothing)
        #expect(try await pages.request(exclusively: key, lookingFor: "1", "1#") == nil)
        await pages.end(request)
      }
    }
  }

  @Test func `the lease of a request is renewed while it is kept`() async throws {
    try await TemporaryStore.run(configure: { $0.leaseDuration = .seconds(6) }) { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let raw = try RawDatabase(temporary.path)
      let request = try #require(try await pages.request(exclusively: "1"))
      let first = try raw.integer("SELECT deadline FROM lease")
      let keeper = try #require(pages.keeping(request))
      for round in 1...3 {
        await temporary.clock.sleepers(atLeast: 1)
        temporary.clock.advance(by: .seconds(2))
        while try raw.integer("SELECT deadline FROM lease") != first + round * 2000 {
          await Task.yield()
        }
      }
      keeper.cancel()
      await pages.end(request)
      let question = try await pages.request()
      #expect(pages.keeping(question) == nil)
      await pages.end(question)
    }
  }

  @Test func `a request that ends without an answer leaves records in memory`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put("one", for: "1")
      for _ in 1...3 { _ = try pages.kept("1") }
      #expect(try pages.residence(of: "1") != nil)
      let question = try await pages.request()
      await pages.end(question)
      #expect(try pages.residence(of: "1") != nil)
      let leased = try #require(try await pages.request(exclusively: "2"))
      await pages.end(leased)
      #expect(try pages.residence(of: "1") != nil)
    }
  }

  @Test func `an answer never replaces that to a later request`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let (early, late) = (try await pages.request(), try await pages.request())
      let now = temporary.clock.reading()
      try await pages.update(changes("1", "late", details), answering: late, about: "1", at: now)
      try await pages.update(changes("1", "early", details), answering: early, about: "1", at: now)
      #expect(try pages.kept("1")?.value == "late")
    }
  }

  @Test(arguments: [true, false])
  func `only a request that signs in holds the origin where nobody is signed in`(signsIn: Bool)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      var policy = Policy()
      policy.origin = "https://example.org"
      let nobody = OriginFailure(blamesOrigin: false, wasAnswered: false, needsSignIn: true)
      let result: Result<Int, FetchFailure> = await pages.asking(
        by: policy, canWait: false, signsIn: signsIn, blaming: { _ in nil }
      ) { throw nobody }
      guard case .failure = result else {
        Issue.record("it was answered")
        return
      }
      #expect(try temporary.store.holds().isEmpty == !signsIn)
    }
  }

  @Test func `what the source says counts for its breaker, which then lets nobody ask`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      var policy = Policy()
      policy.origin = "https://example.org"
      func ask(blaming isBlamed: Bool = false, failing fails: Bool = false) async
        -> Result<Int, FetchFailure>
      {
        await pages.asking(
          by: policy, canWait: false, blaming: { _ in isBlamed ? OriginFailure() : nil }
        ) {
          if fails { throw OriginFailure() }
          return 200
        }
      }
      for _ in 1...4 { _ = await ask(failing: true) }
      // An answer closes it.
      #expect(try await ask().get() == 200)
      for _ in 1...5 { _ = await ask(blaming: true) }
      guard case .failure(let failure) = await ask() else {
        Issue.record("it was asked")
        return
      }
      #expect(failure.isUnasked)
      temporary.reachability.set(.offline("no route"))
      #expect(pages.offlineFailure(by: policy)?.isUnasked == true)
    }
  }
}
