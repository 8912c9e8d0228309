#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore check`: looks for damage.
  struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract:
        "Read the whole store and check its structure and every record; repair nothing unless told to.",
      discussion: """
        Every damaged record is listed, with what is wrong with it, and any damage ends it with 7. A damaged record counts as stale and is fetched again.

        A file whose structure is damaged is moved aside by whatever meets the damage and may write it, and never \
        deleted; a new store takes its place, with the local writes and the puts that can still be read. With --heal \
        check does that itself.

        EXAMPLES
          freshstore check
          freshstore check --heal
          freshstore check --db /var/cache/news/store.db --json
        """)

    @Flag(help: "Move a file aside whose structure is damaged, and begin a new store.") var heal =
      false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        let isWell = try await OpenStore.read(store, heals: heal) { store in
          try await check(store)
        }
        guard !isWell else { return }
        if heal { try await OpenStore.heal(store) }
        throw CommandFailure(.store, "the store is damaged")
      }
    }

    private func check(_ store: Store) async throws -> Bool {
      let result = try await Console.whileWorking("checking") { try await store.check() }
      let damage = result.problems + result.damagedRecords.map { "damaged record: \($0)" }
      let sum =
        "\(RecordSelection.words(result.records)) looked at, \(result.isSound ? "all sound" : "damage found")"
      try output.print(result, or: damage.map(Console.printable) + [sum])
      return result.isSound
    }
  }
#endif
