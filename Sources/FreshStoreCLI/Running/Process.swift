#if CommandLine
  internal import Platform

  /// The running process.
  enum Process {
    /// A variable of the environment; `nil` for one that is not set, or no UTF-8.
    static func variable(_ name: String) -> String? {
      unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }

    /// The fault of a variable that names what a verb works on; `nil` where all are text. One that was repaired would
    /// name something else.
    static var problemOfVariables: String? {
      let names = [
        "FRESHSTORE_DB", "FRESHSTORE_CONFIG", "FRESHSTORE_FLEET", "FRESHSTORE_REACHABILITY",
        "SSL_CERT_FILE",
      ]
      return names.first { unsafe getenv($0) != nil && variable($0) == nil }
        .map { "\($0) is not UTF-8; paths and addresses are text in UTF-8" }
    }

    static func exit(_ status: ExitStatus) -> Never { exit(code: status.rawValue) }

    /// Ends without a message, whatever the other threads are doing.
    static func exit(code: Int32) -> Never { _exit(code) }

    /// Makes a write into a closed pipe an error that can be handled.
    static func ignoreBrokenPipes() {
      _ = inheritedIgnoredPipes
      _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Makes a write beyond the limit of a file's size (`ulimit -f`) an error that can be handled.
    static func ignoreFileSizeSignals() { _ = signal(SIGXFSZ, SIG_IGN) }

    /// Keeps Dispatch from writing into the system's log that its threads may not be more urgent than others,
    /// as those of most users may not.
    static func silenceDispatch() { _ = unsafe setenv("LIBDISPATCH_LOG", "NO", 0) }

    /// Keeps the results of child programs until they are read: where the parent had this process
    /// ignore SIGCHLD the kernel would drop them, and a failed program could not be told from a
    /// successful one.
    static func expectChildren() {
      _ = signal(SIGCHLD, SIG_DFL)
    }

    /// True when the parent had this program ignore writes into closed pipes.
    static let inheritedIgnoredPipes = isIgnored(SIGPIPE)

    /// The signals that ask a program to end, and that it can handle in order.
    static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    /// True when a signal does nothing.
    static func isIgnored(_ number: Int32) -> Bool {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0 else { return false }
      #if canImport(Glibc)
        let handler = unsafe action.__sigaction_handler.sa_handler
      #elseif canImport(Musl)
        let handler = unsafe action.__sa_handler.sa_handler
      #else
        let handler = unsafe action.__sigaction_u.__sa_handler
      #endif
      // Functions cannot be compared in another way.
      let ignoring = SIG_IGN
      return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(ignoring, to: Int.self)
    }

    /// The user whose rights the process has.
    static var user: UInt32 { UInt32(geteuid()) }

    /// The standard descriptors that are terminals; one that was and has gone is none.
    static var terminals: [Int32] {
      [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter { isatty($0) == 1 }
    }

    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The running program, even after its file was replaced by a newer one, where the system has `/proc`.
    static var executablePath: String {
      let own = "/proc/self/exe"
      return unsafe access(own, X_OK) == 0 ? own : RawArguments.texts.first ?? "freshstore"
    }
  }
#endif
