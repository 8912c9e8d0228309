#if CommandLine
  #if canImport(Glibc)
    // `environ` is a global variable; nothing here ever changes the environment.
    @unsafe @preconcurrency internal import Glibc
  #elseif canImport(Musl)
    @unsafe @preconcurrency internal import Musl
  #else
    @unsafe @preconcurrency internal import Darwin
  #endif
  internal import Synchronization

  /// A program that was started and not waited for yet.
  ///
  /// No shell is involved. Its standard input is empty, and only the three standard descriptors are open in it. It
  /// ignores each signal that this process ignores because of its parent, except SIGCHLD: ignoring that would lose
  /// its exit status.
  struct ChildProgram {
    /// The process group of the program and everything it starts.
    enum Group {
      /// This process's group. At a terminal Ctrl-C reaches both, and either may ask for a password. An environment
      /// variable identifies the programs that it starts.
      case shared
      /// A group of its own, so that all of it can be ended.
      case own
      /// A session of its own, which outlives the session of this process.
      case session
    }

    /// The programs that were started, and are not waited for yet.
    private static let running = Mutex(0)

    private let process: pid_t
    private let group: Group
    private let mark: FamilyMark?

    /// - Parameters:
    ///   - name: A path when it holds a slash, else a name to look for in `PATH`.
    ///   - arguments: Its own name, and its arguments; any bytes but NUL.
    ///   - variables: Environment variables that are added to those of this process, or replace them.
    ///   - output: The target of its standard output; `nil` drops standard output and standard error.
    init(
      _ name: String, _ arguments: [[UInt8]], variables: [String: String] = [:], output: Int32?,
      in group: Group
    ) throws(Descriptor.Failure) {
      self.group = group
      let mark = group == .shared ? FamilyMark() : nil
      self.mark = mark
      let entries = variables.map { Array("\($0.key)=\($0.value)".utf8) }
      let all = entries + [mark?.bytes].compactMap(\.self)
      process = try Self.running.withLock { (running) throws(Descriptor.Failure) in
        let process = try Self.start(name, arguments, all, output, group)
        running += 1
        return process
      }
    }

    /// How a program ended.
    enum End: Equatable {
      case exited(Int32)
      case signaled(Int32)
      /// Another caller has waited for it.
      case unknown
    }

    /// True once it has ended. Its number and the number of its group stay taken until ``reap()``.
    var hasEnded: Bool {
      var information = unsafe siginfo_t()
      let status = unsafe waitid(
        P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG)
      // Another caller has waited for it.
      return status == 0 ? unsafe information.si_signo != 0 : errno == ECHILD
    }

    /// Waits for its end, and releases its number.
    func reap() -> End {
      defer { Self.noteReaped() }
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) == -1 {
        guard errno == EINTR else { return .unknown }
      }
      let signal = status & 0x7F
      return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    }

    /// Notes the release of a program. As the first process of a container, this one also gets the orphans of its
    /// programs, and has to release them.
    private static func noteReaped() {
      running.withLock { running in
        running -= 1
        // Programs that are still awaited are left to their waiters.
        guard running == 0, getpid() == 1 else { return }
        while waitpid(-1, nil, WNOHANG) > 0 {}
      }
    }

    /// Sends a signal to the program and to everything it has started.
    func signal(_ number: Int32) {
      _ = kill(group == .shared ? process : -process, number)
      for member in mark?.members ?? [] where member != process { _ = kill(member, number) }
    }

    // MARK: Starting

    #if canImport(Darwin)
      private static let sessionFlag = POSIX_SPAWN_SETSID
    #else
      /// POSIX_SPAWN_SETSID, which glibc and musl hide without GNU extensions.
      private static let sessionFlag: Int32 = 0x80
    #endif

    private static func start(
      _ name: String, _ arguments: [[UInt8]], _ entries: [[UInt8]], _ output: Int32?,
      _ group: Group
    ) throws(Descriptor.Failure) -> pid_t {
      #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = unsafe (
          nil, nil
        )
      #else
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
      #endif
      unsafe posix_spawn_file_actions_init(&actions)
      unsafe posix_spawnattr_init(&attributes)
      defer {
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
      }
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      if let output {
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      } else {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
          unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
      }
      Descriptor.keepToThisProgram()
      var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      switch group {
      case .shared: break
      case .own:
        flags |= POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
      case .session: flags |= sessionFlag
      }
      // The exec ends handlers, so that only the signals that this process chose to ignore are reset.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe posix_spawnattr_setsigmask(&attributes, &signals)
      if !Process.inheritedIgnoredPipes { unsafe sigaddset(&signals, SIGPIPE) }
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
      return try unsafe withArguments(arguments, entries) {
        (pointers, environment) throws(Descriptor.Failure) in
        var process: pid_t = 0
        let status = unsafe posix_spawnp(
          &process, name, &actions, &attributes, pointers, environment)
        guard status == 0 else { throw Descriptor.Failure(number: status) }
        return process
      }
    }

    /// Provides the arguments and the environment as C lists: a NUL ends each entry, and a null pointer ends the
    /// list.
    private static func withArguments<Result>(
      _ arguments: [[UInt8]], _ entries: [[UInt8]],
      _ body: (
        [UnsafeMutablePointer<CChar>?], [UnsafeMutablePointer<CChar>?]
      ) throws(Descriptor.Failure) -> Result
    ) throws(Descriptor.Failure) -> Result {
      let pointers = unsafe arguments.map(copy)
      let own = unsafe entries.map(copy)
      defer {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
        for index in unsafe own.indices { unsafe free(own[index]) }
      }
      var environment: [UnsafeMutablePointer<CChar>?] = unsafe []
      var variable = unsafe environ
      while let entry = unsafe variable.pointee {
        // Of two entries with the same name a program may find either.
        if !entries.contains(where: { unsafe hasSameName(entry, $0) }) {
          unsafe environment.append(entry)
        }
        unsafe variable += 1
      }
      return try unsafe body(pointers + [nil], environment + own + [nil])
    }

    private static func hasSameName(
      _ entry: UnsafeMutablePointer<CChar>, _ other: [UInt8]
    ) -> Bool {
      let end = other.firstIndex(of: UInt8(ascii: "=")) ?? other.endIndex
      return other[...min(end, other.count - 1)].enumerated().allSatisfy { index, byte in
        unsafe UInt8(bitPattern: entry[index]) == byte
      }
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
      unsafe strdup(bytes.map { CChar(bitPattern: $0) } + [0])
    }
  }

  /// An environment variable that identifies a program and its descendants. They inherit it, even when they outlive
  /// their parent.
  struct FamilyMark: Sendable {
    /// The entry in an environment.
    let bytes: [UInt8]

    private static let mostBytes = 1 << 20

    init() {
      bytes = Array("FRESHSTORE_RUN=\(getpid()).\(UInt64.random(in: 0 ... .max))".utf8)
    }

    /// The processes that have it and can be inspected (proc(5)); none without `/proc`.
    var members: [pid_t] { Descriptor.numbers(in: "/proc").filter(has) }

    private func has(_ process: pid_t) -> Bool {
      do throws(Descriptor.Failure) {
        let environment = try Descriptor.read(
          path: "/proc/\(process)/environ", limit: Self.mostBytes)
        return environment.split(separator: 0).contains { $0.elementsEqual(bytes) }
      } catch {
        // The process has ended, or belongs to another user.
        return false
      }
    }
  }
#endif
