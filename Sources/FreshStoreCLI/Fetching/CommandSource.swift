#if CommandLine
  internal import FreshStore
  internal import Subprocess
  internal import Synchronization

  /// A command as the source of a value: what it writes to standard output.
  ///
  /// No shell is involved. Its standard input is empty, its standard error is ours.
  final class CommandSource: Sendable {
    private let name: String
    private let configuration: Subprocess.Configuration
    private let maximumSize: Int
    private let tags: Set<String>?
    private let running = Mutex<Task<[UInt8], any Error>?>(nil)

    /// - Parameters:
    ///   - name: A path, when it holds a slash, else a name to look for in `PATH`.
    ///   - arguments: Any bytes but NUL.
    init(_ name: String, _ arguments: [[UInt8]], maximumSize: Int, tags: Set<String>?) {
      self.name = name
      self.maximumSize = maximumSize
      self.tags = tags
      var options = PlatformOptions()
      // At a terminal Ctrl-C reaches the command and what it started, and it may ask for a
      // password; elsewhere they are made a group of their own, so that all of them can be ended.
      let hasOwnGroup = !Process.inputIsTerminal
      if hasOwnGroup { options.processGroupID = 0 }
      options.teardownSequence = [
        .gracefulShutDown(toProcessGroup: hasOwnGroup, allowedDurationToNextStep: .seconds(1))
      ]
      configuration = Subprocess.Configuration(
        executable: .located(name),
        arguments: Arguments(program: Array(name.utf8), arguments),
        platformOptions: options)
    }

    /// Runs the command once. Cancelling the task ends it; ``ended()`` tells when.
    func fetch() async throws -> Fetched<[UInt8]> {
      let task = Task { try await run() }
      running.withLock { $0 = task }
      let value = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      return .value(value, FetchDetails(tags: tags, source: name))
    }

    /// Returns when no command is running any more.
    func ended() async {
      _ = await running.withLock { $0 }?.result
    }

    private func run() async throws -> [UInt8] {
      let limit = maximumSize
      do {
        let result = try await Subprocess.run(
          configuration, input: .none, output: .sequence, error: .currentStandardError
        ) { execution in
          var value: [UInt8] = []
          for try await buffer in execution.standardOutput {
            unsafe buffer.withUnsafeBytes { unsafe value.append(contentsOf: $0) }
            if value.count > limit { throw CommandError.tooLarge(name, limit: limit) }
          }
          return value
        }
        switch result.terminationStatus {
        case .exited(0): return result.closureResult
        case .exited(let code): throw CommandError.exited(name, code)
        case .signaled(let number): throw CommandError.signaled(name, number)
        }
      } catch let error as SubprocessError {
        throw CommandError.notRun(name, "\(error)")
      }
    }
  }
#endif
