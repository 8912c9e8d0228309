#if CommandLine
  /// How what a damaged file has is brought back.
  enum RecoveryAdvice {
    /// The commands that bring what can be read of a file that was moved aside into the store.
    static func steps(for aside: String, into store: String) -> String {
      "`freshstore recover \(aside) NEW` makes a store of all that can be read, and `freshstore export "
        + "--db NEW | freshstore import --db \(store)` brings its records in"
    }
  }
#endif
