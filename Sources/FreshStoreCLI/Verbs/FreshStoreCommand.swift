#if CommandLine
  internal import ArgumentParser

  /// The command as a whole.
  struct FreshStoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "freshstore",
      abstract:
        "Keep copies of things that live elsewhere, and know when they must be fetched again.",
      discussion: """
        A copy that is fresh is printed at once; any other is fetched, once, however many ask. \
        What was fetched is kept in one SQLite file that programs on FreshStore share.

        EXAMPLES
          freshstore get https://example.org/feed.json
          freshstore get https://example.org/feed.json --stale-if-error 1d
          freshstore get weather --expiry 10m -- curl -fsS https://example.org/weather
          freshstore get report --stale-while-revalidate 1h -- ./slow-report --month 7
          freshstore explain weather
          freshstore mark --tag news
          freshstore sweep && freshstore prune --older-than 30d

        Values go to standard output as they are, everything else to standard error; a terminal is \
        shown the control characters of a value and obeys none.

        ENVIRONMENT
          FRESHSTORE_REACHABILITY  ask (the default) lets the kernel say whether a source is in \
        reach; offline, online or ignore say it for every get and explain
          FRESHSTORE_DB            the store, unless --db names it
          XDG_CACHE_HOME           where the store lies unless one of them names it
          http_proxy, https_proxy, all_proxy, no_proxy
                                   the way to URLs; loopback addresses are reached directly, unless \
        no_proxy has <-loopback>

        \(ExitStatus.help)
        """,
      version: "0.1.0",
      groupedSubcommands: [
        CommandGroup(
          name: "Copies",
          subcommands: [
            GetCommand.self, PutCommand.self, ShowCommand.self, ListCommand.self,
            ExplainCommand.self, MarkCommand.self, RemoveCommand.self, ValidateCommand.self,
          ]),
        CommandGroup(
          name: "Keeping them fresh",
          subcommands: [
            SweepCommand.self, PruneCommand.self, RetryCommand.self, ReachabilityCommand.self,
          ]),
        CommandGroup(
          name: "Local writes and synchronization",
          subcommands: [WriteCommand.self, OutboxCommand.self, SyncCommand.self]),
        CommandGroup(
          name: "Watching",
          subcommands: [
            WatchCommand.self, TopCommand.self, StatsCommand.self, DoctorCommand.self,
          ]),
        CommandGroup(
          name: "The whole store",
          subcommands: [
            BackupCommand.self, ExportCommand.self, ImportCommand.self, CheckCommand.self,
            RecoverCommand.self,
          ]),
      ])

    /// The names of the verbs.
    static var verbs: [String] {
      configuration.groupedSubcommands.flatMap(\.subcommands).map {
        $0.configuration.commandName ?? ""
      }
    }
  }
#endif
