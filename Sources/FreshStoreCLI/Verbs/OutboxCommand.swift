#if CommandLine
  internal import ArgumentParser

  /// `freshstore outbox`: the local writes that their sources have not accepted yet.
  struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "outbox",
      abstract:
        "List, show, retry, send, drop or correct local writes that have not reached their sources.",
      discussion: """
        A write that its source refused, or that met another change there, is parked: it and the \
        later writes of its key wait until somebody retries, sends, drops or corrects it.

        EXAMPLES
          freshstore outbox list --state parked
          freshstore outbox show 17 --theirs
          freshstore outbox retry 17
          freshstore outbox send 17 --over
          freshstore outbox drop 17 18
          freshstore outbox correct 17 --from note.json
        """,
      subcommands: [
        OutboxListCommand.self, OutboxShowCommand.self, OutboxRetryCommand.self,
        OutboxSendCommand.self, OutboxDropCommand.self, OutboxCorrectCommand.self,
      ])
  }
#endif
