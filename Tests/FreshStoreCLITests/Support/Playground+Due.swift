#if CommandLine
  import FreshStore

  extension Playground {
    /// Stores copies that are due for a refetch.
    func makeDue(_ urls: String...) async throws {
      let store = try Store(path: database)
      let records = try store.bytes("http")
      for url in urls {
        try await records.put([1], for: url, details: FetchDetails(source: url))
        try await records.markStale(url)
      }
      try await store.close()
    }

    /// Runs `sync run --once` with these options, whatever the kernel says of the network.
    func syncOnce(
      _ options: [String], environment: [String: String] = [:]
    ) async throws -> Run {
      try await runAlone(
        ["sync", "run", "--once", "--db", database] + options,
        environment: environment.merging(["FRESHSTORE_REACHABILITY": "online"]) { own, _ in own })
    }
  }
#endif
