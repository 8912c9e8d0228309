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
          XDG_CACHE_HOME           where the store lies unless --db names it
          http_proxy, https_proxy, all_proxy, no_proxy
                                   the way to URLs; loopback addresses are reached directly, unless \
        no_proxy has <-loopback>

        \(ExitStatus.help)
        """,
      version: "0.1.0",
      subcommands: [
        GetCommand.self, PutCommand.self, ShowCommand.self, ListCommand.self, ExplainCommand.self,
        MarkCommand.self, RetryCommand.self, RemoveCommand.self, ValidateCommand.self,
        WriteCommand.self,
        OutboxCommand.self, SyncCommand.self, ReachabilityCommand.self, WatchCommand.self,
        TopCommand.self, StatsCommand.self, SweepCommand.self, PruneCommand.self,
        ExportCommand.self, ImportCommand.self, BackupCommand.self, CheckCommand.self,
        DoctorCommand.self, RecoverCommand.self,
      ])
  }
#endif
