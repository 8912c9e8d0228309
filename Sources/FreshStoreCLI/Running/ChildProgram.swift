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

  /// A program that was started, and has not been waited for yet.
  ///
  /// No shell is involved. Its standard input is empty, and no descriptor except the standard three
  /// is open in it. A signal that this process ignores because its parent did is ignored in it,
  /// too, except SIGCHLD, without which its exit status would be lost.
  struct ChildProgram {
    /// The process group of the program and everything it starts.
    enum Group {
      /// This process's own: at a terminal Ctrl-C reaches both, and either may ask for a password.
      /// A variable of the environment identifies the programs that it starts.
      case shared
      /// One of its own, so that all of it can be ended.
      case own
      /// A session of its own, which outlives this process's.
      case session
    }

    /// The programs that were started, and are not waited for yet.
    private static let running = Mutex(0)

    private let process: pid_t
    private let group: Group
    private let mark: FamilyMark?

    /// - Parameters:
    ///   - name: A path, when it holds a slash, else a name to look for in `PATH`.
    ///   - arguments: Its name for itself, and its arguments; any bytes but NUL.
    ///   - variables: What stands in its environment beside or in the place of our own.
    ///   - output: The target of its standard output; `nil` to drop it together with standard
    ///     error.
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

    /// True once it has ended; its number, and that of its group, stay taken until ``reap()``.
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

    /// As the first process of a container this one is given the orphans of its programs, and has to release them.
    private static func noteReaped() {
      running.withLock { running in
        running -= 1
        // Those that are still awaited are not to be taken from who waits for them.
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
      /// POSIX_SPAWN_SETSID, which glibc and musl hide unless GNU extensions are asked for.
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
      // Handlers end with the exec; only the signals that this process itself chose to ignore are
      // reset.
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

    /// Provides the arguments and the environment in the form of the system: each ended by NUL, and
    /// the list by a null pointer.
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
        // Of two entries of one name a program may find either.
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

  /// A variable of the environment that identifies a program and its descendants: they inherit it,
  /// also where they outlive their parent.
  struct FamilyMark: Sendable {
    /// Its form in an environment.
    let bytes: [UInt8]

    private static let mostBytes = 1 << 20

    init() {
      bytes = Array("FRESHSTORE_RUN=\(getpid()).\(UInt64.random(in: 0 ... .max))".utf8)
    }

    /// The processes that have it and can be inspected (proc(5)); none where there is no `/proc`.
    var members: [pid_t] { Descriptor.numbers(in: "/proc").filter(has) }

    private func has(_ process: pid_t) -> Bool {
      do throws(Descriptor.Failure) {
        let environment = try Descriptor.read(
          path: "/proc/\(process)/environ", limit: Self.mostBytes)
        return environment.split(separator: 0).contains { $0.elementsEqual(bytes) }
      } catch {
        // It has ended, or is another user's.
        return false
      }
    }
  }
#endif
