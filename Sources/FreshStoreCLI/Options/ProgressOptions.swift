#if CommandLine
  internal import ArgumentParser

  /// How long work says what it does.
  struct ProgressOptions: ParsableArguments {
    @Flag(
      name: .shortAndLong,
      help: "Report failures only; --json still prints its object.")
    var quiet = false
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Report progress this often where standard error is no terminal. (default: 5s)",
        valueName: "duration"),
      transform: DurationText.span)
    var progressEvery: Duration = .seconds(5)

    var meter: ProgressMeter { ProgressMeter(isQuiet: quiet, pause: progressEvery) }
  }
#endif
