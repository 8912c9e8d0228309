#if CommandLine
  internal import Platform
  internal import Strategies

  /// Checks the system's limits on this program, before anything depends on them.
  ///
  /// When the system refuses a thread, memory or a descriptor later, the runtime waits for ever or traps, without a
  /// reason.
  enum Preflight {
    /// The most descriptors that a verb has open at once, with some to spare.
    private static let descriptors = 24
    private static let threads = 12
    /// Address space in addition to the stacks of the threads.
    private static let bytes = 96 << 20

    /// Fails when a resource is too scarce; takes a fraction of a millisecond.
    static func check() throws(CommandFailure) {
      #if canImport(Glibc)
        if isAddressSpaceLimited { shareArena() }
      #endif
      try checkDescriptors()
      try checkThreadsAndMemory()
    }

    private static func checkDescriptors() throws(CommandFailure) {
      var taken: [Int32] = []
      defer { for descriptor in taken { close(descriptor) } }
      while taken.count < descriptors {
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard descriptor >= 0 else {
          throw failure(
            "too few files: \(Descriptor.Failure.last.words)", "at least \(descriptors) more",
            "ulimit -n")
        }
        taken.append(descriptor)
      }
    }

    private static func checkThreadsAndMemory() throws(CommandFailure) {
      // All threads wait until the check is over, so that they exist at the same time.
      let gate: Pipe
      do throws(Descriptor.Failure) {
        gate = try Pipe()
      } catch {
        throw failure("too few files: \(error.words)", "two more for a pipe", "ulimit -n")
      }
      defer { gate.closeWritingEnd() }
      for count in 0..<threads {
        do throws(ErrorNumber) {
          try DetachedThread.start { _ = Descriptor.wait(for: [gate.readingEnd]) }
        } catch {
          throw failure(
            "too few threads: \(Descriptor.Failure(number: error.code).words)",
            "\(threads), and it got \(count)", "ulimit -u, ulimit -v, pids.max")
        }
      }
      guard
        let memory = unsafe mmap(
          nil, bytes, PROT_NONE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0),
        unsafe memory != MAP_FAILED
      else {
        throw failure(
          "too little memory: \(Descriptor.Failure.last.words)", "\(bytes >> 20) MiB more",
          "ulimit -v")
      }
      unsafe munmap(memory, bytes)
    }

    #if canImport(Glibc)
      private static var isAddressSpaceLimited: Bool {
        var limit = rlimit()
        return unsafe getrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0
          && limit.rlim_cur != rlim_t.max
      }

      /// Makes all threads allocate from the same arena. One arena of 64 MiB for each would use up an otherwise ample
      /// limit.
      private static func shareArena() {
        typealias Option = @convention(c) (Int32, Int32) -> Int32
        // No module has the header that declares `mallopt`.
        guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
        let arenaMaximum: Int32 = -8
        _ = unsafe unsafeBitCast(symbol, to: Option.self)(arenaMaximum, 1)
      }
    #endif

    private static func failure(_ what: String, _ need: String, _ limit: String) -> CommandFailure {
      CommandFailure(
        .system, "the system allows \(what); freshstore needs \(need): see \(limit)")
    }
  }
#endif
