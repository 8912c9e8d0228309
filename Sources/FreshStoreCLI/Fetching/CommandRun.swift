#if CommandLine
  internal import FreshStore
  internal import Platform
  internal import Strategies
  internal import Synchronization

  /// One run of a command for its output, on a thread of its own.
  ///
  /// The output ends when the pipe does. Programs that the command leaves running hold the pipe open and may still
  /// write. The value is whole only when all of them have closed it.
  final class CommandRun: Sendable {
    private let name: String
    private let arguments: [[UInt8]]
    private let variables: [String: String]
    private let limit: Int
    private let sink: (@Sendable ([UInt8]) throws(CommandFailure) -> Void)?
    /// The end of this pipe tells the run to stop.
    private let cancellation: Pipe

    private static let patience = Duration.seconds(1)
    private static let longestPause = Duration.milliseconds(50)

    /// - Parameters:
    ///   - name: A path when it holds a slash, else a name to look for in `PATH`.
    ///   - arguments: Any bytes but NUL.
    ///   - variables: Environment variables for the command, in addition to those of this process.
    ///   - limit: The most bytes of output.
    ///   - sink: Gets the output piece by piece, without a limit, even when the command fails later. ``output()``
    ///     then returns no bytes.
    init(
      _ name: String, _ arguments: [[UInt8]], variables: [String: String] = [:], limit: Int = .max,
      sink: (@Sendable ([UInt8]) throws(CommandFailure) -> Void)? = nil
    ) throws(CommandError) {
      self.sink = sink
      self.name = name
      self.arguments = arguments
      self.variables = variables
      self.limit = limit
      do throws(Descriptor.Failure) {
        cancellation = try Pipe()
      } catch {
        throw .notRun(name, error.words)
      }
    }

    /// The command's standard output. Cancelling the task ends the command; this returns after its end.
    func output() async throws -> [UInt8] {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          do throws(ErrorNumber) {
            try DetachedThread.start { [self] in
              continuation.resume(with: Result { try run() })
            }
          } catch {
            continuation.resume(
              throwing: CommandError.notRun(name, "no thread can be started: \(error)"))
          }
        }
      } onCancel: {
        cancellation.closeWritingEnd()
      }
    }

    private func run() throws -> [UInt8] {
      guard Descriptor.wait(for: [cancellation.readingEnd], atMost: .zero).isEmpty else {
        throw CancellationError()
      }
      let (program, output): (ChildProgram, Pipe)
      do throws(Descriptor.Failure) {
        output = try Pipe()
        program = try ChildProgram(
          name, [Array(name.utf8)] + arguments, variables: variables, output: output.writingEnd,
          in: Process.inputIsTerminal ? .shared : .own)
      } catch {
        throw CommandError.notRun(name, error.words)
      }
      output.closeWritingEnd()
      do {
        let value = try read(output)
        try waitForEnd(of: program)
        switch program.reap() {
        case .exited(0): return value
        case .exited(let code): throw CommandError.exited(name, code)
        case .signaled(let number): throw CommandError.signaled(name, number)
        case .unknown: throw CommandError.lost(name)
        }
      } catch let error as Interrupted {
        end(program, output)
        throw error.cause
      }
    }

    /// An error that is thrown after the command was ended.
    private struct Interrupted: Error {
      let cause: any Error
    }

    private func read(_ output: Pipe) throws(Interrupted) -> [UInt8] {
      var value: [UInt8] = []
      while true {
        let ready = Descriptor.wait(for: [output.readingEnd, cancellation.readingEnd])
        guard !ready.contains(cancellation.readingEnd) else {
          throw Interrupted(cause: CancellationError())
        }
        let bytes: [UInt8]
        do throws(Descriptor.Failure) {
          bytes = try Descriptor.readAvailable(output.readingEnd)
        } catch {
          throw Interrupted(cause: CommandError.notRead(name, error.words))
        }
        if bytes.isEmpty { return value }
        if let sink {
          do throws(CommandFailure) {
            try sink(bytes)
          } catch {
            throw Interrupted(cause: error)
          }
          continue
        }
        value += bytes
        guard value.count <= limit else {
          throw Interrupted(cause: CommandError.tooLarge(name, limit: limit))
        }
      }
    }

    /// Waits until the command has ended.
    ///
    /// Nearly every command ends with its output. Only a handler for the whole process would report the end of the
    /// others, so that they are polled, less and less often.
    private func waitForEnd(of program: ChildProgram) throws(Interrupted) {
      var pause = Duration.milliseconds(1)
      while !program.hasEnded {
        guard Descriptor.wait(for: [cancellation.readingEnd], atMost: pause).isEmpty else {
          throw Interrupted(cause: CancellationError())
        }
        pause = min(pause * 2, Self.longestPause)
      }
    }

    /// Asks the command and its descendants to end, and kills them after a while. A process that cannot be killed is
    /// left behind: it has other rights, or the kernel holds it.
    private func end(_ program: ChildProgram, _ output: Pipe) {
      program.signal(SIGTERM)
      let end = ContinuousClock.now + Self.patience
      var isClosed = false
      while !(isClosed && program.hasEnded), ContinuousClock.now < end {
        let open = isClosed ? [] : [output.readingEnd]
        guard !Descriptor.wait(for: open, atMost: .milliseconds(5)).isEmpty else { continue }
        do throws(Descriptor.Failure) {
          isClosed = try Descriptor.readAvailable(output.readingEnd).isEmpty
        } catch {
          isClosed = true
        }
      }
      program.signal(SIGKILL)
      let last = ContinuousClock.now + Self.patience
      while !program.hasEnded {
        guard ContinuousClock.now < last else {
          return Console.note("\(name) cannot be ended and goes on")
        }
        _ = Descriptor.wait(for: [], atMost: .milliseconds(5))
      }
      _ = program.reap()
    }
  }

  /// The error of a command that gave no value. It leaves out the arguments, which may hold secrets.
  enum CommandError: Error {
    case exited(String, Int32)
    case signaled(String, Int32)
    case lost(String)
    case notRun(String, String)
    case notRead(String, String)
    case tooLarge(String, limit: Int)
  }

  extension CommandError: CustomStringConvertible {
    var description: String {
      switch self {
      case .exited(let name, let code): "\(name) ended with exit code \(code)"
      case .signaled(let name, let number): "\(name) was ended by signal \(number)"
      case .lost(let name): "nobody can tell how \(name) ended"
      case .notRun(let name, let words): "\(name) could not be run: \(words)"
      case .notRead(let name, let words): "the output of \(name) could not be read: \(words)"
      case .tooLarge(let name, let limit):
        "\(name) wrote more than \(ByteCount.words(limit)); raise --max-size to accept it"
      }
    }
  }

  /// A command as the source of a value: its standard output.
  ///
  /// No shell is involved. Standard input is empty, and standard error is this program's.
  final class CommandSource: Sendable {
    /// The command, to compare with the command of a stored copy.
    let line: CommandLineIdentity
    private let name: String
    private let arguments: [[UInt8]]
    private let maximumSize: Int
    private let tags: Set<String>?
    private let running = Mutex<Task<[UInt8], any Error>?>(nil)

    /// - Parameters:
    ///   - words: The program and its arguments, of any bytes but NUL. The program is a path when it holds a slash,
    ///     else a name to look for in `PATH`.
    ///   - line: The identity of the command.
    init(
      _ words: [[UInt8]], _ line: CommandLineIdentity, maximumSize: Int, tags: Set<String>?
    ) {
      self.line = line
      name = String(decoding: words.first ?? [], as: UTF8.self)
      arguments = Array(words.dropFirst())
      self.maximumSize = maximumSize
      self.tags = tags
    }

    /// Runs the command once. Cancelling the task ends the command; ``ended()`` waits for its end.
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
