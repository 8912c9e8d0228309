#if Fleet
  import FreshFleet
  import FreshStore
  import Strategies

  /// Compiled, and not run: there is no database of that name.
  struct FleetSnippets {
    let path: String
    let download: @Sendable (String) async throws -> String

    func join() async throws {
      // begin: fleet: join
      var configuration = Configuration()
      configuration.sharedTier = try FleetClient("postgresql://news@db.example.org/fleet")
      let store = try Store(path: path, configuration: configuration)
      let articles = try store.collection("articles", of: String.self)

      let answer = try await articles.get("42") { [download] _ in
        .value(try await download("42"))
      }
      if let failure = answer.sharedTierFailure {
        print("fetched alone: \(failure)")
      }
      try await store.markStale(tag: "front page", reason: "a new edition")
      // end
      try await store.close()
    }

    // begin: fleet: options
    func options() -> FleetOptions {
      var options = FleetOptions()
      options.outOfReach = .keepMarks
      options.longestAlone = .minutes(10)
      return options
    }
    // end
  }
#endif
