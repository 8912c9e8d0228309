#if CommandLine
  internal import Subprocess

  /// The refresh behind a copy that was already printed: this program once more, in a session of
  /// its own, with nothing of ours open, and not waited for.
  enum BackgroundRefresh {
    /// The flag that makes a get one; not for people.
    static let flag = "refresh-behind"

    /// Starts it; returns when it runs, or says why it does not.
    static func start() async {
      let (started, start) = AsyncStream.makeStream(of: String?.self)
      // Never awaited: the child outlives this process, and its end concerns nobody.
      Task {
        do {
          _ = try await Subprocess.run(
            configuration, input: .none, output: .discarded, error: .discarded
          ) { _ in start.yield(nil) }
        } catch {
          start.yield("\(error)")
        }
      }
      for await problem in started {
        if let problem { Console.note("the refresh behind could not be started: \(problem)") }
        return
      }
    }

    private static var configuration: Subprocess.Configuration {
      var options = PlatformOptions()
      options.createSession = true
      // The verb comes first, so its own options may begin right after it.
      let given = RawArguments.all
      let arguments = given[1..<2] + [Array("--\(flag)".utf8)] + given.dropFirst(2)
      return Subprocess.Configuration(
        executable: .located(Process.executablePath),
        arguments: Arguments(program: given[0], Array(arguments)),
        platformOptions: options)
    }
  }
#endif
