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

  /// One check of many documents.
  struct Validation {
    let rules: RulesFile
    let isStrict: Bool
    let isJSON: Bool
    let sizeLimit: Int

    private var documents = 0
    private var refused = 0
    private var unreadable = 0

    init(rules: RulesFile, isStrict: Bool, isJSON: Bool, sizeLimit: Int) {
      self.rules = rules
      self.isStrict = isStrict
      self.isJSON = isJSON
      self.sizeLimit = sizeLimit
    }

    /// Checks the document of a file, or the documents on its lines. A file that cannot be read is reported, and ends
    /// nothing.
    mutating func check(_ file: String, isLines: Bool) throws(CommandFailure) {
      let name = file == "-" ? "standard input" : file
      let bytes: [UInt8]
      do throws(Descriptor.Failure) {
        bytes = try Descriptor.read(argument: file, limit: sizeLimit)
      } catch {
        unreadable += 1
        return Console.note("\(Console.printable(name)) cannot be read: \(error.words)")
      }
      guard bytes.count <= sizeLimit else {
        unreadable += 1
        return Console.note(
          "\(Console.printable(name)) has more than \(sizeLimit) bytes; raise --max-size")
      }
      guard isLines else {
        return try tell(
          report { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }, of: name,
          line: nil)
      }
      for line in JSONLines(bytes) {
        try tell(report(line.value), of: name, line: line.number)
        if documents.isMultiple(of: 10_000) {
          Console.progress("\(documents) documents checked, \(refused) refused")
        }
      }
      Console.endProgress()
    }

    /// Reports the result on standard error, and fails unless everything is well.
    func end() throws(CommandFailure) {
      let checked = "\(documents) \(documents == 1 ? "document" : "documents") checked"
      guard unreadable == 0 else {
        throw CommandFailure(
          .inputOutput, "\(checked), \(refused) refused; \(unreadable) not readable")
      }
      guard refused == 0 else {
        throw CommandFailure(.refused, "\(checked), \(refused) refused")
      }
      if Process.errorIsTerminal { Console.note("\(checked), none refused") }
    }

    private func report(_ document: () throws(JSONSyntaxError) -> JSONValue) -> Report {
      do throws(JSONSyntaxError) {
        return rules.schema.admit(try document(), in: rules.scenario).report
      } catch {
        return Report([Issue(error)])
      }
    }

    private mutating func tell(
      _ report: Report, of file: String, line: Int?
    ) throws(CommandFailure) {
      documents += 1
      if !report.isValid(strict: isStrict) { refused += 1 }
      if isJSON {
        return try StandardOutput.json(report.fields(file: file, line: line, strict: isStrict))
      }
      let place = file + (line.map { ":\($0)" } ?? "")
      for issue in report.issues {
        let weight = issue.severity == .should && !isStrict ? "advice: " : ""
        try StandardOutput.line(Console.printable("\(place): \(weight)\(issue)"))
      }
    }
  }

  extension Report {
    /// The output of `validate --json` for one document of a file.
    ///
    /// - Parameter line: The line number in a text of JSON lines.
    func fields(file: String, line: Int?, strict: Bool) -> JSONFields {
      [
        "file": file, "line": line, "isValid": isValid(strict: strict),
        "outcome": outcome.rawValue, "issues": issues.map(\.fields),
      ]
    }
  }

  extension Issue {
    /// An issue, for programs and for people.
    fileprivate var fields: JSONFields {
      [
        "path": path.description, "code": code, "severity": severity.rawValue, "message": message,
        "parameters": parameters.mapValues(ParameterOutput.init), "rule": rule,
      ]
    }
  }

  /// A parameter of an issue, in JSON.
  private struct ParameterOutput: Encodable {
    let parameter: Parameter

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch parameter {
      case .text(let text): try container.encode(text)
      case .integer(let integer): try container.encode(integer)
      // JSON has no NaN and no infinities.
      case .number(let number) where number.isFinite: try container.encode(number)
      case .number(let number): try container.encode(String(number))
      case .boolean(let boolean): try container.encode(boolean)
      case .list(let items): try container.encode(items.map(ParameterOutput.init))
      }
    }
  }
#endif
