#if CommandLine
  internal import ArgumentParser

  /// The exit status of the command; scripts rely on the numbers.
  enum ExitStatus: Int32, Sendable {
    case served = 0
    case servedStale = 3
    case nothingToServe = 4
    case fetchFailed = 5
    case refused = 6
    case store = 7
    case absent = 8
    case unchanged = 9
    case usage = 64
    /// The system refuses threads, memory or descriptors.
    case system = 71
    case inputOutput = 74
    case underWay = 75
    /// The status that a shell reports for a program that SIGPIPE has ended.
    case brokenPipe = 141

    var code: ExitCode { ExitCode(rawValue) }

    /// The exit codes for the help of a verb: its own codes, each with its words.
    ///
    /// The help of the whole command has the codes of every verb.
    static func help(_ own: (status: ExitStatus, words: String)...) -> String {
      let lines = own.map { "  \($0.status.rawValue)".padded(to: 7) + $0.words }
      return "EXIT CODES\n" + lines.joined(separator: "\n")
        + "\n  7, 64, 71, 74, 128 and above: see 'freshstore --help'"
    }

    /// The exit codes for the help of the whole command.
    static let help = """
      EXIT CODES
        0    served, or done
        3    served stale, and --fail-on-stale was given
        4    no usable copy, and offline; show, explain, mark: no such record; outbox: no such write;
             sweep --refetch, sync run --once: some work was put off, because its source is out of
             reach or paused
        5    the fetch failed, and no copy may stand in for it; sweep, sync: a fetch or a push failed
        6    the value was refused: --rules, --require or --max-size; sync: by its source; import:
             lines were refused; wipe: the answer was no, or local writes are not sent
        7    the database failed; check, export: damage; doctor: a problem; recover: local writes
             are lost; serve: marks are lost; mark, fleet: the fleet's database failed, or cannot be
             used
        8    the source says that the object does not exist
        9    --if-changed was given, and nothing has changed
        64   the arguments are wrong, or what is in a file that they name
        71   the system allows too few threads or open files, or too little memory, or has no libpq
             for a fleet
        74   a file that was named is missing or failed, as did standard input or standard output, or
             the file to create already exists
        75   another sweep, or another daemon, is already running on the store
        130  ended by Ctrl-C; 143 by SIGTERM; 129 by SIGHUP; 141 by a closed pipe
      """
  }
#endif
