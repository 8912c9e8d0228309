#if CommandLine
  internal import FreshGateway
  internal import Platform

  /// Where a gateway's log goes: a file that grows, or standard error.
  enum LogFile {
    static func open(_ path: String, _ form: AccessLog.Form) throws(CommandFailure) -> AccessLog {
      let descriptor =
        path == "-"
        ? Descriptor.standardError
        : unsafe Platform.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
      guard descriptor >= 0 else {
        throw CommandFailure(
          .inputOutput,
          "the log \(path.debugDescription) cannot be written: \(Descriptor.Failure.last.words)")
      }
      return AccessLog(form) { lines in
        do throws(Descriptor.Failure) {
          try Descriptor.write(lines, to: descriptor)
          return true
        } catch {
          // A full disk loses lines, and no answer.
          return false
        }
      }
    }
  }
#endif
