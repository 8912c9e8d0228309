#if CommandLine
  internal import FreshStore
  internal import Synchronization

  /// A command as the source of a value: its standard output.
  ///
  /// No shell is involved. Its standard input is empty, its standard error is ours.
  final class CommandSource: Sendable {
    /// The command, which a copy of its output is compared with.
    let line: CommandLineIdentity
    private let name: String
    private let arguments: [[UInt8]]
    private let maximumSize: Int
    private let tags: Set<String>?
    private let running = Mutex<Task<[UInt8], any Error>?>(nil)

    /// - Parameters:
    ///   - words: A path, when the first holds a slash, else a name to look for in `PATH`; its
    ///     arguments, of any bytes but NUL.
    ///   - line: What tells it from others.
    init(
      _ words: [[UInt8]], _ line: CommandLineIdentity, maximumSize: Int, tags: Set<String>?
    ) {
      self.line = line
      name = String(decoding: words.first ?? [], as: UTF8.self)
      arguments = Array(words.dropFirst())
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
      return .value(value, FetchDetails(tags: tags, source: name, metadata: line.metadata))
    }

    /// Returns when no command is running any more.
    func ended() async {
      _ = await running.withLock { $0 }?.result
    }
  }
#endif
