#if CommandLine
  internal import ArgumentParser

  /// Answers for programs.
  struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false
  }
#endif
