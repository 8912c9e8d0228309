#if CommandLine
  internal import ArgumentParser
  internal import Rules

  /// The conditions for storing a value, and its labels.
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

    @Option(help: ArgumentHelp("A label to mark by. May be repeated.", valueName: "tag"))
    var tag: [String] = []

    func validate() throws {
      if tag.contains("") { throw ValidationError("a --tag must not be empty") }
    }

    /// The gate that values have to pass.
    func gate() throws(CommandFailure) -> AdmissionGate {
      AdmissionGate(rules: try rules.read(), requirements: require)
    }

    /// The tags; `nil` keeps those a record has.
    var tags: Set<String>? { tag.isEmpty ? nil : Set(tag) }
  }
#endif
