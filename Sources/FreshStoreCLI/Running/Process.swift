#if CommandLine
  internal import ArgumentParser
  internal import Platform

  /// The running process.
  enum Process {
    /// An environment variable; `nil` when it is not set or not UTF-8.
    static func variable(_ name: String) -> String? {
      unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }

    /// The fault of a variable that names a store, a file or a fleet; `nil` when all are UTF-8. A repaired text would
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

    /// Turns a write into a closed pipe into an error that can be handled.
    static func ignoreBrokenPipes() {
      _ = inheritedIgnoredPipes
      _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Turns a write beyond the limit of a file's size (`ulimit -f`) into an error that can be handled.
    static func ignoreFileSizeSignals() { _ = signal(SIGXFSZ, SIG_IGN) }

    /// Silences Dispatch, which logs that its threads may not be more urgent than others. Most users have no right to
    /// that.
    static func silenceDispatch() { _ = unsafe setenv("LIBDISPATCH_LOG", "NO", 0) }

    /// Keeps the results of child programs until they are read.
    ///
    /// When the parent had this process ignore SIGCHLD, the kernel would drop them. A failed program could not be
    /// told from a successful one.
    static func expectChildren() {
      _ = signal(SIGCHLD, SIG_DFL)
    }

    /// True when the parent had this program ignore SIGPIPE.
    static let inheritedIgnoredPipes = isIgnored(SIGPIPE)

    /// The signals that ask a program to end, and that it can handle in order.
    static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    /// True when the signal is ignored.
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
      // Functions of C cannot be compared in another way.
      let ignoring = SIG_IGN
      return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(ignoring, to: Int.self)
    }

    /// The standard descriptors that are terminals; a terminal that has gone is none.
    static var terminals: [Int32] {
      [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter { isatty($0) == 1 }
    }

    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The path of the running program. With `/proc` it is right even after a newer file has replaced the program's.
    static var executablePath: String {
      let own = "/proc/self/exe"
      return unsafe access(own, X_OK) == 0 ? own : RawArguments.texts.first ?? "freshstore"
    }
  }

  // Only glibc passes the arguments to such a function: musl calls it without any.
  #if canImport(Glibc)
    private typealias PassedStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// The arguments that the system has passed to this program.
    ///
    /// They are noted before anything else runs, and never change after that. There is one thread then, so that no
    /// lock is needed; none would exist yet.
    nonisolated(unsafe) private var passedCount: Int32 = 0
    nonisolated(unsafe) private var passedStrings: PassedStrings? = nil

    private func notePassed(
      _ count: Int32, _ strings: PassedStrings?, _ environment: PassedStrings?
    ) {
      unsafe (passedCount, passedStrings) = unsafe (count, strings)
    }

    /// The loader calls the functions in this section with the arguments of `main`
    /// (https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html).
    ///
    /// Swift finds the arguments through the environment, which a preloaded library may have moved, or through
    /// `/proc`, which may be missing.
    @section(".init_array") @used
    private let notesPassed: @convention(c) (Int32, PassedStrings?, PassedStrings?) -> Void =
      unsafe notePassed
  #endif

  /// The arguments as the system passed them. Swift repairs invalid UTF-8, which could turn two different keys into
  /// one.
  enum RawArguments {
    /// Every argument, the program's name first.
    static let all: [[UInt8]] = {
      #if canImport(Glibc)
        let (count, strings) = unsafe (passedCount, passedStrings)
      #else
        let (count, strings) = unsafe (CommandLine.argc, Optional(CommandLine.unsafeArgv))
      #endif
      guard let strings = unsafe strings else { return [] }
      return (0..<Int(count)).map { index in
        guard let argument = unsafe strings[index] else { return [] }
        var bytes: [UInt8] = []
        var position = 0
        while unsafe argument[position] != 0 {
          unsafe bytes.append(UInt8(bitPattern: argument[position]))
          position += 1
        }
        return bytes
      }
    }()

    /// The same as text; ``problem(runsCommand:)`` reports arguments that are not UTF-8.
    static var texts: [String] { all.map { String(decoding: $0, as: UTF8.self) } }

    /// The command after the first `--`, for a verb that runs one; `nil` without a `--`.
    static var command: [[UInt8]]? { terminator.map { Array(all[($0 + 1)...]) } }

    /// Throws when no command follows a `--`.
    static func validateCommand() throws(ValidationError) {
      if let command, command.first?.isEmpty ?? true {
        throw ValidationError("the command after -- is empty; name a program")
      }
    }

    private static var terminator: Int? { all.firstIndex(of: Array("--".utf8)) }

    /// The fault of the arguments; `nil` for none. The arguments of a command may be any bytes.
    ///
    /// - Parameter runsCommand: True for a verb that runs the command after `--`.
    static func problem(runsCommand: Bool) -> String? {
      let checked = runsCommand ? all.prefix(terminator.map { $0 + 2 } ?? all.count) : all[...]
      for (position, argument) in checked.enumerated().dropFirst()
      where String(validating: argument, as: UTF8.self) == nil {
        return "argument \(position) is not UTF-8; keys, paths and options are text in UTF-8"
      }
      return nil
    }
  }
#endif
