#if CommandLine
  internal import ArgumentParser
  internal import Platform

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

        Values go to standard output unchanged, everything else to standard error. On a terminal, the control characters of a value are shown, not obeyed.

        A duration is whole numbers with units, as in 500ms, 30s, 5m, 1h30m, 7d or 1w, or a number of \
        seconds. A size is a number of bytes, as in 512, 10k, 5M or 1G. The options that \
        most verbs have, --db, --json and -v, may stand before the verb, too.

        FILES
          $XDG_CONFIG_HOME/freshstore/config, else ~/.config/freshstore/config
                                   options that you need not type again: lines such as \
        'stale-if-error = 1d' below the verb in brackets, [get] or [outbox list]; 'db = PATH' and \
        'fleet = URI' above all of them. # begins a comment, and the command line takes precedence. With a \
        header that identifies you, such as Authorization, or an address with a password, only you may be \
        able to read it (mode 600).
          ~/.pgpass, ~/.pg_service.conf
                                   passwords and addresses of fleets, as libpq has them
          $XDG_CACHE_HOME/freshstore/store.db, else ~/.cache/freshstore/store.db
                                   the store

        ENVIRONMENT
          FRESHSTORE_REACHABILITY  ask (the default) lets the kernel say whether a source is in \
        reach; offline, online or ignore say it for every get and explain
          FRESHSTORE_DB            the store, unless --db names it
          FRESHSTORE_CONFIG        the configuration file; none if it is empty
          FRESHSTORE_FLEET         the database that this host shares with others, unless --fleet names \
        it; none if it is empty. Other users do not see it, so it may hold a password
          NO_COLOR                 no colours on a terminal
          XDG_CACHE_HOME           where the store lies unless one of them names it
          http_proxy, https_proxy, all_proxy, no_proxy
                                   the way to URLs; loopback addresses are reached directly, unless \
        no_proxy has <-loopback>

        \(ExitStatus.help)
        """,
      version: ProductVersion.current,
      groupedSubcommands: [
        CommandGroup(
          name: "Copies",
          subcommands: [
            GetCommand.self, PutCommand.self, ShowCommand.self, ListCommand.self,
            ExplainCommand.self, MarkCommand.self, PinCommand.self, RemoveCommand.self,
            ValidateCommand.self,
          ]),
        CommandGroup(
          name: "Keeping them fresh",
          subcommands: [
            SweepCommand.self, PruneCommand.self, RetryCommand.self, ReachabilityCommand.self,
          ]),
        CommandGroup(name: "For every other program", subcommands: [ServeCommand.self]),
        CommandGroup(
          name: "Local writes and synchronization",
          subcommands: [WriteCommand.self, OutboxCommand.self, SyncCommand.self]),
        CommandGroup(name: "Many hosts", subcommands: [FleetCommand.self]),
        CommandGroup(
          name: "Watching",
          subcommands: [
            WatchCommand.self, TopCommand.self, StatsCommand.self, DoctorCommand.self,
          ]),
        CommandGroup(
          name: "The whole store",
          subcommands: [
            BackupCommand.self, ExportCommand.self, ImportCommand.self, CheckCommand.self,
            RecoverCommand.self, WipeCommand.self,
          ]),
      ])

    /// The names of the verbs.
    static var verbs: [String] {
      configuration.groupedSubcommands.flatMap(\.subcommands).map {
        $0.configuration.commandName ?? ""
      }
    }

    /// The type of a verb, such as `outbox list`.
    static func type(of verb: String) -> (any ParsableCommand.Type)? {
      let names = verb.split(separator: " ")
      var verbs = configuration.groupedSubcommands.flatMap(\.subcommands)
      var found: (any ParsableCommand.Type)?
      for name in names {
        found = verbs.first { $0.configuration.commandName == String(name) }
        verbs = found?.configuration.subcommands ?? []
      }
      return found
    }

    /// The names of the verbs below one of them; `nil` for a verb without any.
    static func verbs(below name: String) -> [String]? {
      let verbs = configuration.groupedSubcommands.flatMap(\.subcommands)
      let inner = verbs.first { $0.configuration.commandName == name }?.configuration.subcommands
      guard let inner, !inner.isEmpty else { return nil }
      return inner.map { $0.configuration.commandName ?? "" }
    }
  }
#endif
