#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore sync status`: the daemon's work, and its backlog.
  struct SyncStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show what the daemon is doing, and what waits to be fetched and sent.",
      discussion: """
        EXAMPLES
          freshstore sync status
          freshstore sync status --json | jq .parkedWrites

        EXIT CODES
          0    shown
          4    no daemon is running on the store
          7    the database failed
          64   the arguments are wrong
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.readIfThere(store) { store in
          let answer = SyncStatusOutput(
            backlog: try store?.backlog() ?? Backlog(), holds: try store?.holds() ?? [:],
            daemon: store.flatMap { SyncLock.holder(of: $0.path) })
          try output.print(answer.fields, or: answer.lines)
          if answer.daemon == nil { throw CommandFailure(.nothingToServe) }
        }
      }
    }
  }
#endif
