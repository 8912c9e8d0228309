#if CommandLine
  internal import FreshStore
  internal import Synchronization

  /// A command as the source of a value: its standard output.
  ///
  /// No shell is involved. Its standard input is empty, its standard error is ours.
  final class CommandSource: Sendable {
    private let name: String
    private let arguments: [[UInt8]]
    private let maximumSize: Int
    private let tags: Set<String>?
    private let running = Mutex<Task<[UInt8], any Error>?>(nil)

    /// - Parameters:
    ///   - name: A path, when it holds a slash, else a name to look for in `PATH`.
    ///   - arguments: Any bytes but NUL.
    init(_ name: String, _ arguments: [[UInt8]], maximumSize: Int, tags: Set<String>?) {
      self.name = name
      self.arguments = arguments
      self.maximumSize = maximumSize
      self.tags = tags
    }

    /// Runs the command once. Cancelling the task ends it; ``ended()`` waits for that.
    func fetch() async throws -> Fetched<[UInt8]> {
      let run = try CommandRun(name, arguments, limit: maximumSize)
      let task = Task { try await run.output() }
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
  }
#endif
