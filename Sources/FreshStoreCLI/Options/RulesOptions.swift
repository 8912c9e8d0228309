#if CommandLine
  internal import ArgumentParser
  internal import Rules

  /// The rules, for every verb that checks values.
  struct RulesOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "A schema that a JSON value must keep; see Documentation/RulesAsData.md.",
        valueName: "file"),
      completion: .file(extensions: ["json"]))
    var rules: String?

    @Option(
      help: ArgumentHelp("The scenario of the rules. (default: default)", valueName: "name"))
    var scenario: String?

    func validate() throws {
      if scenario != nil, rules == nil {
        throw ValidationError("a --scenario is one of the --rules; name their file")
      }
    }

    /// The rules; `nil` when none were named.
    func read() throws(CommandFailure) -> RulesFile? {
      guard let rules else { return nil }
      return try RulesFile(path: rules, scenario: scenario)
    }
  }
#endif
