#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// One run of a verb: every error in it ends here, as a line on standard error and an exit code.
  enum Session {
    /// Does what comes before the work: a signal ends it at once, and an error ends the run.
    static func prepare<Result>(_ body: () throws -> Result) throws -> Result {
      Process.ignoreBrokenPipes()
      do {
        return try body()
      } catch let failure as CommandFailure {
        throw failure.told().code
      }
    }

    /// - Parameters:
    ///   - endsInOrder: True for work that a signal cancels, so that it can give back what it holds;
    ///     any other is ended by a signal at once, as programs are.
    ///   - isDaemon: True for work that is meant to end by a signal.
    ///   - patience: How long it may take to end in order.
    ///   - reread: Called at SIGHUP, where that is not to end the work.
    ///   - reopen: Called at SIGUSR1, where that is not to end it at once.
    ///   - lastWords: What is told where it is ended before it has ended in order.
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
#endif
