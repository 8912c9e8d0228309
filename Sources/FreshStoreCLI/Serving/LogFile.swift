#if CommandLine
  internal import FreshGateway
  internal import Platform
  internal import Synchronization

  /// The log of a gateway: a file that grows and that another program may rename, or standard error.
  struct LogFile: Sendable {
    let log: AccessLog
    private let path: String
    private let sink: Sink

    init(_ path: String, _ form: AccessLog.Form) throws(CommandFailure) {
      let sink = Sink(try Self.open(path))
      (self.path, self.sink) = (path, sink)
      log = AccessLog(form) { sink.write($0) }
    }

    /// False for standard error.
    var isFile: Bool { path != "-" }

    /// Goes on in a new file of the same name, for example after the old one was renamed.
    func reopen() throws(CommandFailure) {
      guard isFile else { return }
      let descriptor = try Self.open(path)
      sink.replace(with: descriptor)
    }

    /// Opens the file itself, without waiting. A user who may write in its folder could have put a link there, or a
    /// pipe without a reader.
    private static func open(_ path: String) throws(CommandFailure) -> Int32 {
      guard path != "-" else { return Descriptor.standardError }
      let isOpenAlready = Descriptor.isDescriptor(path)
      let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK
      let descriptor = unsafe Platform.open(path, isOpenAlready ? flags : flags | O_NOFOLLOW, 0o640)
      guard descriptor >= 0 else {
        let words =
          switch errno {
          case ELOOP: "it is a link; name the file that it leads to"
          case ENXIO: "it is a pipe that nobody reads, or no file at all; begin with its reader"
          default: Descriptor.Failure.last.words
          }
        throw CommandFailure(
          .inputOutput, "the log \(path.debugDescription) cannot be written: \(words)")
      }
      return descriptor
    }

    /// The open file.
    private final class Sink: Sendable {
      private let descriptor: Mutex<Int32>

      init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

      private static let patience = Duration.seconds(1)

      func write(_ lines: [UInt8]) -> Bool {
        descriptor.withLock { descriptor in
          do throws(Descriptor.Failure) {
            try Descriptor.write(lines, to: descriptor, waitingAtMost: Self.patience)
            return true
          } catch {
            // A full disk loses lines, and so does a pipe whose reader takes none. No response waits for the log.
            return false
          }
        }
      }

      func replace(with other: Int32) {
        let old = descriptor.withLock { descriptor in
          defer { descriptor = other }
          return descriptor
        }
        close(old)
      }
    }
  }

  /// The file with the tokens of operators, one per line.
  struct TokenFile: Sendable {
    let tokens: OperatorTokens
    private let path: String

    init(_ path: String) throws(CommandFailure) {
      self.path = path
      tokens = OperatorTokens(try Self.read(path))
    }

    /// Reads the file again; a file that cannot be used changes nothing.
    func reread() throws(CommandFailure) { tokens.replace(by: try Self.read(path)) }

    private static func read(_ path: String) throws(CommandFailure) -> [String] {
      let bytes = try PrivateFile.read(path, holding: "the tokens")
      let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      guard !lines.isEmpty, lines.allSatisfy(isToken) else {
        throw CommandFailure(
          .usage,
          "the tokens in \(path.debugDescription) are lines of \(shortest) or more visible characters, as "
            + "from openssl rand -hex 32")
      }
      return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isToken(_ line: ArraySlice<UInt8>) -> Bool {
      line.count >= shortest && line.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static let shortest = 16
  }
#endif
