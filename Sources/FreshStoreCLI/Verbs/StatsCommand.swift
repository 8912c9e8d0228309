#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore stats`: counts.
  struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "Count what the store holds.",
      discussion: """
        EXAMPLES
          freshstore stats
          freshstore stats --json | jq .due
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.readIfThere(store) { store in
          let statistics = try store?.statistics() ?? Statistics()
          try output.print(statistics, or: statistics.lines)
        }
      }
    }
  }

  extension Statistics {
    /// The counts for people, a collection a line.
    fileprivate var lines: [String] {
      collections.map { collection in
        "\(Console.printable(collection.name)): \(collection.records) records, "
          + "\(collection.bytes) bytes, \(collection.absent) absent, \(collection.marked) marked, "
          + "\(collection.expired) expired, \(collection.failing) failing, "
          + "\(collection.pinned) pinned"
      } + [
        "due for a refetch: \(due); being fetched: \(leases); failing origins: \(failingOrigins)",
        "file: \(fileBytes) bytes, \(freeBytes) of them free; log: \(logBytes) bytes",
      ]
    }
  }
#endif
