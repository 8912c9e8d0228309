#if CommandLine
  internal import ArgumentParser

  /// `freshstore sync`: keeps the store in step with its sources.
  struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync",
      abstract: "Fetch again what is due, and send local writes to their sources.",
      discussion: """
        EXAMPLES
          freshstore sync run --once
          freshstore sync run --conflicts server
          freshstore sync status
        """,
      subcommands: [SyncRunCommand.self, SyncStatusCommand.self])
  }
#endif
