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
          if output.json {
            try StandardOutput.json(statistics)
          } else {
            for line in statistics.lines { try StandardOutput.line(line) }
          }
        }
      }
    }
  }
#endif
