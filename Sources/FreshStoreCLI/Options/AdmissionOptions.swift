#if CommandLine
  internal import ArgumentParser
  internal import Rules

  /// The conditions for storing a value.
  struct AdmissionOptions: ParsableArguments {
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The largest value accepted: 512, 10k, 5M, 1G. (default: 64M)", valueName: "size"),
      transform: SizeText.valueSize)
    var maxSize: Int = 64 << 20

    @Option(
      help: ArgumentHelp(
        "Refuse a value unless it is so: json, nonempty. May be repeated.", valueName: "rule"))
    var require: [Requirement] = []

    @OptionGroup var rules: RulesOptions

    /// The gate that values have to pass.
    func gate() throws(CommandFailure) -> AdmissionGate {
      AdmissionGate(rules: try rules.read(), requirements: require)
    }
  }
#endif
