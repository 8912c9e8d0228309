import FreshStore
import FreshStoreTesting
import Strategies
import Testing

@Suite struct StoreSnippets {
  @Test func `getting started`() async throws {
    try await Stage.run(
      "getting started: get", "getting started: details", "getting started: read",
      "getting started: quick", "getting started: mark", "getting started: fail"
    ) {
      // begin: getting started: get
      struct Article: Codable {
        var title: String
      }

      /// Asks the source. A real one would use the network.
      @Sendable func download(_ key: String) async throws -> Article {
        Article(title: "Article \(key)")
      }

      let store = try Store(path: file("articles.db"))
      let articles = try store.collection("articles", of: Article.self)

      let first = try await articles.get("42") { _ in .value(try await download("42")) }
      print(first.value.title, first.freshness)  // Article 42 fetched

      let second = try await articles.get("42") { _ in .value(try await download("42")) }
      print(second.value.title, second.freshness)  // Article 42 fresh
      // end

      // begin: getting started: details
      let details = FetchDetails(expiry: .after(.hours(1)), tags: ["news"])
      let third = try await articles.get("43") { _ in .value(try await download("43"), details) }
      print(third.expiry)  // after(3600.0 seconds)
      // end

      // begin: getting started: read
      switch try articles.read("42") {
      case .fresh(let copy): print("show", copy.value.title)  // show Article 42
      case .stale(let copy): print("show, and fetch again:", copy.value.title)
      case .missing, .unusable: print("fetch")
      }
      // end

      // begin: getting started: quick
      print(try articles.servableValue("42")?.title ?? "nothing")  // Article 42
      // end

      // begin: getting started: mark
      try await articles.markStale("42")
      print(try articles.explain("42").decision)  // stale (invalidation): marked by key
      print(try articles.explain("42").action.rawValue)  // fetch
      // end

      // begin: getting started: fail
      struct Outage: Error {}
      let patient = Policy.cacheFirst.graceOnError(.hours(1))
      let answer = try await articles.get("42", policy: patient) { _ in throw Outage() }
      print(answer.value.title, answer.freshness)  // Article 42 stale-on-error
      // end
      try await store.close()
    }
  }

  @Test func `how a decision is made`() async throws {
    struct Article: Codable {
      var title: String
    }
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let articles = try store.collection("articles", of: Article.self)
      let stage = try Stage()
      try await Stage.$current.withValue(stage) {
        // begin: decision: marked
        try await articles.put(Article(title: "Tides"), for: "7")
        print(try articles.explain("7").decision.outcome)  // fresh
        try await store.markStale(collection: "articles", reason: "a new edition")
        print(try articles.explain("7").decision)  // stale (invalidation): marked: a new edition
        for step in try articles.explain("7").decision.trace {
          print(step.strategy, step.opinion.verdict)
        }
        // end
      }
      #expect(
        stage.output.lines == [
          "fresh", "stale (invalidation): marked: a new edition", "reachability unknown",
          "invalidation invalid",
        ])
    }
  }

  @Test func `a chain of one's own`() async throws {
    // begin: decision: chain
    struct OpeningHours: Strategy {
      let name = "opening-hours"

      func judge(_ record: RecordStamps, in context: JudgementContext) -> Opinion {
        let hour = context.now.millisecondsSinceEpoch / 3_600_000 % 24
        return hour < 6 ? .valid(.custom("prices rest at night")) : .unknown(.custom("it is day"))
      }
    }

    var configuration = Configuration()
    configuration.chain = [
      .reachability(configuration.reachability), .invalidation(), OpeningHours(), .timestamp(),
    ]
    // end
    #expect(configuration.chain != nil)
  }

  @Test func `policies`() async throws {
    try await Stage.run("policies: preset", "policies: refresh") {
      let store = try Store(path: file("store.db"))
      // begin: policies: preset
      let policy = Policy.offlineFirst.expiring(.minutes(5)).graceOnError(.hours(1))
      let prices = try store.collection("prices", of: Int.self, policy: policy)
      let price = try await prices.get("bread", policy: .sourceOnly) { _ in .value(270) }
      print(price.value, price.freshness)  // 270 fetched
      // end

      // begin: policies: refresh
      let refreshed = try await prices.refresh("bread") { _ in .value(280) }
      print(refreshed.value)  // 280
      print(try prices.get("bread").freshness)  // fresh
      // end
      try await store.close()
    }
  }

  @Test func `sweeps`() async throws {
    let clock = ManualClock()
    try await Stage.run("sweeps: sweep") {
      try await TemporaryStore.run(clock: clock) { temporary in
        let store = temporary.store
        try await store.bytes("pages").put([1], for: "1")
        clock.advance(by: .minutes(5))
        // begin: sweeps: sweep
        let result = try await store.sweep()
        print(result.marked, "marked")  // 1 marked

        var options = PruneOptions()
        options.olderThan = .days(30)
        options.maximumBytes = 100 << 20
        print(try await store.prune(options).removed, "removed")  // 0 removed
        // end
      }
    }
  }

  @Test func `files and safety`() async throws {
    try await Stage.run("files: health") {
      // begin: files: health
      let store = try Store(path: file("store.db"))
      print(store.health.movedAside)  // []
      try await store.close()
      // end
    }
  }

  @Test func `moving from another cache`() async throws {
    try await Stage.run("moving: dictionary") {
      let store = try Store(path: file("store.db"))
      // begin: moving: dictionary
      let icons = try store.bytes("icons", policy: .cacheFirst.expiring(.days(7)))
      try await icons.put([1, 2, 3], for: "home")
      print(try icons.servableValue("home")?.count ?? 0)  // 3
      try await icons.remove("home")
      // end
      try await store.close()
    }
  }
}
