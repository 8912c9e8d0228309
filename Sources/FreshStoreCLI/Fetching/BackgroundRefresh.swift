#if CommandLine
  /// The refresh behind a copy that was already printed: this program once more, in a session of
  /// its own, without the open files of this one, and not waited for.
  enum BackgroundRefresh {
    /// The flag that makes a get one; for internal use.
    static let flag = "refresh-behind"

    /// Starts it, or reports why it does not run.
    static func start() {
      // Behind everything that is ours: a command may follow.
      let given = RawArguments.all
      let end = given.firstIndex(of: Array("--".utf8)) ?? given.endIndex
      let arguments = given[..<end] + [Array("--\(flag)".utf8)] + given[end...]
      do throws(Descriptor.Failure) {
        // Never waited for: it outlives this process, and its result is not needed.
        _ = try ChildProgram(Process.executablePath, Array(arguments), output: nil, in: .session)
      } catch {
        Console.note("the refresh behind could not be started: \(error.words)")
      }
    }
  }
#endif
