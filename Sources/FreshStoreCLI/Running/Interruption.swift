#if CommandLine
  internal import Platform
  internal import ArgumentParser
  internal import Strategies
  internal import Synchronization

  /// Turns a signal that asks the program to end into a cancelled task, so that leases are given back
  /// and commands are ended before the program is. A second signal ends it at once, and so does the
  /// end of all patience. A signal that was ignored when the program started stays ignored.
  ///
  /// It needs a thread, and nothing of Swift's runtime, which may be what does not go on.
  final class Interruption: Sendable {
    private struct State {
      var received: Int32?
      var task: Task<Void, any Error>?
    }

    private let state = Mutex(State())
    private let patience: Duration

    /// - Parameter patience: How long the work may take to end after it was asked to.
    init(patience: Duration) { self.patience = patience }

    /// Runs the work; throws the exit code of a signal when one came, unless a signal is how the work
    /// is meant to end.
    func run(
      isDaemon: Bool, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
      // Caught before anything begins that one could come too early for.
      try watch(try caught())
      let task = Task { try await work() }
      let isLate = state.withLock { state in
        state.task = task
        return state.received != nil
      }
      if isLate { task.cancel() }
      let result = await task.result
      if !isDaemon, let number = state.withLock(\.received) { throw ExitCode(128 + number) }
      try result.get()
    }

    private func caught() throws(CommandFailure) -> SignalPipe {
      do throws(Descriptor.Failure) {
        return try SignalPipe(Process.endingSignals)
      } catch {
        throw CommandFailure(.system, "no pipe can be made: \(error.words)")
      }
    }

    private func watch(_ signals: SignalPipe) throws(CommandFailure) {
      do throws(ErrorNumber) {
        try DetachedThread.start { [self] in
          guard let number = signals.next() else { return }
          let task = state.withLock { state in
            state.received = number
            return state.task
          }
          task?.cancel()
          if signals.next(within: patience) == nil {
            // What did not end may be a reader of the standard error that reads no more.
            if Descriptor.isReady(Descriptor.standardError) {
              Console.note("it did not end in \(patience.brief) and is ended")
            }
          }
          Process.exit(code: 128 + number)
        }
      } catch {
        throw CommandFailure(.system, "no thread can be started: \(error)")
      }
    }
  }
#endif
