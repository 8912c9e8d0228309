#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore check`: looks for damage.
  struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Read the whole store and check its structure and every record; repair nothing.",
      discussion: """
        Every damaged record is listed, with what is wrong with it, and any damage ends it with 7. A damaged record counts as stale and is fetched again; \
        a damaged file is moved aside, never deleted, when the store is next opened for writing.

        EXAMPLES
          freshstore check
          freshstore check --db /var/cache/news/store.db --json
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.read(store) { store in try await check(store) }
      }
    }

    private func check(_ store: Store) async throws {
      let result = try await Console.whileWorking("checking") { try await store.check() }
      let damage = result.problems + result.damagedRecords.map { "damaged record: \($0)" }
      let sum =
        "\(RecordSelection.words(result.records)) looked at, \(result.isSound ? "all sound" : "damage found")"
      try output.print(result, or: damage.map(Console.printable) + [sum])
      if !result.isSound { throw CommandFailure(.store, "the store is damaged") }
    }
  }
#endif
