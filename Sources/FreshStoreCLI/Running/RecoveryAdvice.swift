#if CommandLine
  /// How what a damaged file has is brought back.
  enum RecoveryAdvice {
    /// The commands that bring what can be read of a file that was moved aside into the store.
    static func steps(for aside: String, into store: String) -> String {
      "`freshstore recover \(quoted(aside)) NEW` makes a store of all that can be read, `freshstore export "
        + "--db NEW | freshstore import --db \(quoted(store))` brings its records in, and `freshstore sync "
        + "run --once --db NEW` sends the local writes in it"
    }

    /// A path as a shell takes it for one word.
    private static func quoted(_ path: String) -> String {
      path.allSatisfy { $0.isLetter || $0.isNumber || "-._/+:@".contains($0) }
        ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
  }
#endif
