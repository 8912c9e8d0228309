#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore outbox drop`: gives local writes up.
  struct OutboxDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drop",
      abstract: "Drop local writes: they are not sent, and their records are restored.",
      discussion: """
        The record then is what its other local writes make of it; without any, it is again what its \
        source was last known to hold, marked stale; where that is damaged, a message says so, and it \
        has no value until it is fetched. What was written is lost: print it with \
        freshstore outbox show N --only mine first if you may want it. Each write is shown as it was.

        EXAMPLES
          freshstore outbox drop 17 18
          freshstore outbox drop --all-parked --json > dropped.jsonl

        EXIT CODES
          0    done
          4    one of the numbers is not in the outbox; the others were dropped
          7    the database failed
          64   the arguments are wrong
        """)

    @OptionGroup var selection: OutboxSelection

    func run() async throws {
      try await selection.run { store, ids in
        let (dropped, unrestored) = try await store.dropNamingUnrestored(ids)
        for record in unrestored {
          Console.note(
            "\(Console.quoted(key: record.key)) of \(record.collection): what its source was known to hold is "
              + "damaged; it has no value until it is fetched")
        }
        return dropped
      }
    }
  }
#endif
