#if CommandLine
  internal import FreshGateway
  internal import Platform
  internal import Synchronization

  /// Where a gateway's log goes: a file that grows, and that others may put aside, or standard error.
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

    /// Goes on in a new file of the same name, as after somebody has renamed the old one.
    func reopen() throws(CommandFailure) {
      guard isFile else { return }
      let descriptor = try Self.open(path)
      sink.replace(with: descriptor)
    }

    private static func open(_ path: String) throws(CommandFailure) -> Int32 {
      let descriptor =
        path == "-"
        ? Descriptor.standardError
        : unsafe Platform.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
      guard descriptor >= 0 else {
        throw CommandFailure(
          .inputOutput,
          "the log \(path.debugDescription) cannot be written: \(Descriptor.Failure.last.words)")
      }
      return descriptor
    }

    /// The file that is open.
    private final class Sink: Sendable {
      private let descriptor: Mutex<Int32>

      init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

      func write(_ lines: [UInt8]) -> Bool {
        descriptor.withLock { descriptor in
          do throws(Descriptor.Failure) {
            try Descriptor.write(lines, to: descriptor)
            return true
          } catch {
            // A full disk loses lines, and no answer.
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
#endif
