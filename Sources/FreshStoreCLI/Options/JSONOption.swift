#if CommandLine
  internal import ArgumentParser

  /// Answers for programs.
  struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    /// Prints an answer in the form that was asked for.
    func print(
      _ object: @autoclosure () -> some Encodable, or lines: @autoclosure () -> [String]
    ) throws(CommandFailure) {
      if json { return try StandardOutput.json(object()) }
      for line in lines() { try StandardOutput.line(line) }
    }
  }
#endif
