#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore outbox retry`: lets parked writes go on.
  struct OutboxRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry",
      abstract:
        "Let local writes be sent again: those that are parked, or wait for a pause to end.",
      discussion: """
        They are sent by the daemon, or by freshstore sync run --once. Each is shown as it is then.

        EXAMPLES
          freshstore outbox retry 17
          freshstore outbox retry --all-parked && freshstore sync run --once

        EXIT CODES
          0    done
          4    one of the numbers is not in the outbox; the others were seen to
          7    the database failed
          64   the arguments are wrong
        """)

    @OptionGroup var selection: OutboxSelection

    func run() async throws {
      try await selection.run { store, ids in try await store.retry(ids) }
    }
  }
#endif
