#if CommandLine
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Darwin
  #endif

  /// The running process.
  enum Process {
    /// A variable of the environment.
    static func variable(_ name: String) -> String? {
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    static func exit(_ status: ExitStatus) -> Never { exit(code: status.rawValue) }

    /// Ends without another word, whatever the other threads are doing.
    static func exit(code: Int32) -> Never { _exit(code) }

    /// Makes a write into a closed pipe an error that can be handled.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// The signals that ask a program to end, and that it can answer in order.
    static let endingSignals = [SIGINT, SIGTERM]

    /// The user whose rights the process has.
    static var user: UInt32 { UInt32(geteuid()) }

    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The running program, also after its file was replaced by a newer one.
    #if os(Linux)
      static let executablePath = "/proc/self/exe"
    #else
      static let executablePath = CommandLine.arguments.first ?? "freshstore"
    #endif
  }
#endif
