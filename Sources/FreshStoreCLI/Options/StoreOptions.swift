#if CommandLine
  internal import ArgumentParser

  /// The options of every verb.
  struct StoreOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        The database file; its folder must exist. (default: $FRESHSTORE_DB, else \
        $XDG_CACHE_HOME/freshstore/store.db, else ~/.cache/freshstore/store.db)
        """, valueName: "path"),
      completion: .file())
    var db: String?

    @Flag(name: .shortAndLong, help: "Say on standard error what is decided and how long it takes.")
    var verbose = false

    /// The file that the option or the environment names.
    var path: String? { db ?? Self.pathOfEnvironment }

    /// The file that the environment names.
    static var pathOfEnvironment: String? {
      Process.variable("FRESHSTORE_DB").flatMap { $0.isEmpty ? nil : $0 }
    }
  }
#endif
