#if CommandLine
  internal import ArgumentParser
  internal import Dispatch
  internal import Synchronization

  #if canImport(Darwin)
    internal import Darwin
  #endif

  /// Turns Ctrl-C and SIGTERM into a cancelled task, so that leases are given back and commands are
  /// ended before the program is. A second signal ends it at once.
  final class Interruption: Sendable {
    private let received = Mutex<Int32?>(nil)

    /// Runs the work; throws the exit code of a signal when one came, unless a signal is how the work
    /// is meant to end.
    func run(
      isDaemon: Bool, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
      let task = Task { try await work() }
      let sources = Process.endingSignals.map { watch($0, task) }
      let result = await task.result
      for source in sources { source.cancel() }
      if !isDaemon, let number = received.withLock({ $0 }) { throw ExitCode(128 + number) }
      try result.get()
    }

    private func watch(
      _ number: Int32, _ task: Task<Void, any Error>
    ) -> any DispatchSourceSignal {
      #if canImport(Darwin)
        // There the default action comes before the source.
        _ = signal(number, SIG_IGN)
      #endif
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        let isFirst = received.withLock { received in
          defer { received = received ?? number }
          return received == nil
        }
        guard isFirst else { Process.exit(code: 128 + number) }
        task.cancel()
      }
      source.resume()
      return source
    }
  }
#endif
