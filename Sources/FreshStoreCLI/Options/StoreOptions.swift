#if CommandLine
  internal import ArgumentParser

  /// The options of every verb.
  struct StoreOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        The database file; its folder must exist. \
        (default: $XDG_CACHE_HOME/freshstore/store.db, else ~/.cache/freshstore/store.db)
        """, valueName: "path"),
      completion: .file())
    var db: String?

    @Flag(name: .shortAndLong, help: "Say on standard error what is decided and how long it takes.")
    var verbose = false
  }
#endif
