#if CommandLine
  internal import Rules

  /// One run over many documents.
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

    /// Checks the document of a file, or those on its lines. A file that cannot be read is reported
    /// and ends nothing.
    mutating func check(_ file: String, isLines: Bool) throws(CommandFailure) {
      let name = file == "-" ? "standard input" : file
      let bytes: [UInt8]
      do throws(Descriptor.Failure) {
        bytes =
          file == "-"
          ? try Descriptor.read(Descriptor.standardInput, limit: sizeLimit)
          : try Descriptor.read(path: file, limit: sizeLimit)
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

    /// Reports the result on standard error, and fails when not everything is well.
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
#endif
