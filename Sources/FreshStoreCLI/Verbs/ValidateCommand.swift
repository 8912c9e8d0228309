#if CommandLine
  internal import ArgumentParser
  internal import Rules

  /// `freshstore validate`: checks documents against rules; stores nothing.
  struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Check JSON documents against rules, and print every issue; store nothing.",
      discussion: """
        Without a file standard input is read. As by put and get, the steps of the rules are taken \
        first (default, trim, filter); what comes of them is checked. One line an issue: the file, \
        the line of a text of JSON lines, the path in the document, what is wrong, and its code. \
        What may be accepted but should not be so is marked "advice" and is an error only with \
        --strict.

        EXAMPLES
          freshstore validate --rules article.rules.json article.json
          freshstore validate --rules event.rules.json --lines < events.jsonl
          freshstore validate --rules user.rules.json --scenario create users/*.json

        EXIT CODES
          0    every document keeps the rules
          6    a document breaks them
          64   the arguments or the rules are wrong
          74   a file cannot be read; the others are checked all the same
        """.replacing("\\\\\n", with: ""))

    @Option(
      help: ArgumentHelp(
        "The schema; see Documentation/RulesAsData.md.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var rules: String

    @Option(
      help: ArgumentHelp("The scenario of the rules. (default: default)", valueName: "name"))
    var scenario: String?

    @Argument(
      help: "The documents, or - for standard input; .jsonl and .ndjson are read as --lines.",
      completion: .file())
    var file: [String] = ["-"]

    @Flag(help: "Each line is a document of its own (JSON lines).")
    var lines = false

    @Flag(help: "Take advice for an error.")
    var strict = false

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The largest file accepted: 512, 10k, 5M, 1G. (default: 1G)", valueName: "size"),
      transform: SizeText.valueSize)
    var maxSize: Int = 1 << 30

    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        var validation = Validation(
          rules: try RulesFile(path: rules, scenario: scenario), isStrict: strict,
          isJSON: output.json, sizeLimit: maxSize)
        for name in file {
          let isLines = lines || [".jsonl", ".ndjson"].contains { name.hasSuffix($0) }
          try validation.check(name, isLines: isLines)
        }
        try validation.end()
      }
    }
  }
#endif
