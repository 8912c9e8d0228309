#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Platform
  internal import Strategies
  internal import Synchronization

  /// One run of a verb. Every error ends here, as a line on standard error and an exit code.
  enum Session {
    /// Does the step before the work: a signal ends it at once, and an error ends the run.
    static func prepare<Result>(_ body: () throws -> Result) throws -> Result {
      Process.ignoreBrokenPipes()
      do {
        return try body()
      } catch let failure as CommandFailure {
        throw failure.told().code
      }
    }

    /// - Parameters:
    ///   - endsInOrder: True for work that a signal cancels, so that it can give back what it holds. A signal ends
    ///     any other work at once.
    ///   - isDaemon: True for work that a signal is meant to end.
    ///   - patience: How long the work may take to end in order.
    ///   - reread: Called at SIGHUP; without it, SIGHUP ends the work.
    ///   - reopen: Called at SIGUSR1; without it, SIGUSR1 ends the program at once.
    ///   - lastWords: The message for a program that is ended before its work has ended in order.
    static func run(
      endsInOrder: Bool = false, isDaemon: Bool = false, patience: Duration = .seconds(5),
      reread: (@Sendable () -> Void)? = nil, reopen: (@Sendable () -> Void)? = nil,
      lastWords: (@Sendable () -> String?)? = nil,
      _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
      Process.ignoreBrokenPipes()
      do {
        let interruption = Interruption(
          patience: patience, reread: reread, reopen: reopen, lastWords: lastWords)
        try await endsInOrder ? interruption.run(isDaemon: isDaemon, body) : body()
      } catch let failure as CommandFailure {
        throw failure.told().code
      } catch let error as StoreError {
        throw CommandFailure(error).told().code
      } catch let error as SharedTierError {
        throw CommandFailure(error).told().code
      }
    }
  }

  /// Turns a signal that asks the program to end into a cancelled task, so that leases are returned and commands are
  /// ended first.
  ///
  /// A second signal ends the program at once, and so does the end of the patience. A signal that was ignored at the
  /// start of the program stays ignored.
  ///
  /// SIGHUP may be a request to read files again. It still ends the program when a terminal of its start has gone.
  /// SIGUSR1 may be a request to reopen a log; it ends a program that does not expect it.
  ///
  /// This needs a thread, and nothing of Swift's runtime, which may itself be stuck.
  final class Interruption: Sendable {
    private struct State {
      var received: Int32?
      var task: Task<Void, any Error>?
    }

    private let state = Mutex(State())
    private let patience: Duration
    private let reread: (@Sendable () -> Void)?
    private let reopen: (@Sendable () -> Void)?
    private let lastWords: (@Sendable () -> String?)?
    private let terminals = Process.terminals

    /// - Parameters:
    ///   - patience: The time that the work may take to end after the request.
    ///   - reread: Called at SIGHUP, and must not wait; `nil` when SIGHUP ends the program.
    ///   - reopen: The same for SIGUSR1; `nil` when that signal is not caught.
    ///   - lastWords: The message for a program that is ended before its work; it must not wait.
    init(
      patience: Duration, reread: (@Sendable () -> Void)? = nil,
      reopen: (@Sendable () -> Void)? = nil, lastWords: (@Sendable () -> String?)? = nil
    ) {
      (self.patience, self.reread, self.reopen) = (patience, reread, reopen)
      self.lastWords = lastWords
    }

    /// Runs the work. Throws the exit code of a signal that came, unless a signal is how the work is meant to end.
    func run(
      isDaemon: Bool, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
      // Signals are caught before any work begins, so that none comes too early.
      try watch(try caught())
      let task = Task { try await work() }
      let isLate = state.withLock { state in
        state.task = task
        return state.received != nil
      }
      if isLate { task.cancel() }
      let result = await task.result
      // SIGTERM or SIGINT asks a daemon to end. SIGHUP, the end of its terminal, does not.
      if let number = state.withLock(\.received), !isDaemon || number == SIGHUP {
        throw ExitCode(128 + number)
      }
      try result.get()
    }

    private func caught() throws(CommandFailure) -> SignalPipe {
      do throws(Descriptor.Failure) {
        return try SignalPipe(Process.endingSignals + (reopen == nil ? [] : [SIGUSR1]))
      } catch {
        throw CommandFailure(.system, "no pipe can be made: \(error.words)")
      }
    }

    private func watch(_ signals: SignalPipe) throws(CommandFailure) {
      do throws(ErrorNumber) {
        try DetachedThread.start { [self] in
          guard let number = nextEnding(of: signals) else { return }
          let task = state.withLock { state in
            state.received = number
            return state.task
          }
          task?.cancel()
          let isLate = nextEnding(of: signals, within: patience) == nil
          // A reader of standard error that has stopped reading may be the cause of the delay.
          if Descriptor.isReady(Descriptor.standardError) {
            if let words = lastWords?() { Console.note(words) }
            if isLate { Console.note("it did not end in \(patience.brief) and is ended") }
          }
          Process.exit(code: 128 + number)
        }
      } catch {
        throw CommandFailure(.system, "no thread can be started: \(error)")
      }
    }

    /// The next signal that asks the program to end; `nil` when none comes in time.
    private func nextEnding(of signals: SignalPipe, within limit: Duration? = nil) -> Int32? {
      let end = limit.map { ContinuousClock.now + $0 }
      while true {
        let left = end.map { max(.zero, $0 - ContinuousClock.now) }
        guard let number = signals.next(within: left) else { return nil }
        if number == SIGUSR1, let reopen {
          reopen()
          continue
        }
        guard number == SIGHUP, let reread, terminals == Process.terminals else { return number }
        reread()
      }
    }
  }

  /// The signals received, in their order, for a thread to read.
  ///
  /// A handler may run on any thread at any time, so it only writes the number into a pipe.
  struct SignalPipe {
    private static let writingEnd = Atomic<Int32>(-1)
    private let pipe: Pipe

    /// Catches the signals from now on, except ignored ones. Make one per process.
    init(_ numbers: [Int32]) throws(Descriptor.Failure) {
      pipe = try Pipe()
      Self.writingEnd.store(pipe.writingEnd, ordering: .sequentiallyConsistent)
      for number in numbers where !Process.isIgnored(number) {
        _ = signal(number) { number in
          let saved = errno
          var byte = UInt8(truncatingIfNeeded: number)
          _ = unsafe write(SignalPipe.writingEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
          errno = saved
        }
      }
    }

    /// Waits for the next signal; `nil` when none comes in time.
    func next(within limit: Duration? = nil) -> Int32? {
      guard !Descriptor.wait(for: [pipe.readingEnd], atMost: limit).isEmpty else { return nil }
      var byte: UInt8 = 0
      return unsafe read(pipe.readingEnd, &byte, 1) == 1 ? Int32(byte) : nil
    }
  }

  /// A pipe of this process's own.
  final class Pipe: Sendable {
    let readingEnd: Int32
    let writingEnd: Int32
    private let isWritable = Mutex(true)

    init() throws(Descriptor.Failure) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw .last }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    deinit {
      closeWritingEnd()
      close(readingEnd)
    }

    /// Lets the reader reach the end, once no other process can write either.
    func closeWritingEnd() {
      isWritable.withLock { isWritable in
        if isWritable { close(writingEnd) }
        isWritable = false
      }
    }
  }
#endif
