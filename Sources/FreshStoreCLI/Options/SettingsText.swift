#if CommandLine
  /// The options in the text of a configuration file, each with the verb in brackets above it.
  struct SettingsText {
    /// An option on a line.
    struct Option {
      /// Its verb, such as `get` or `outbox list`; empty without a verb above it.
      let verb: String
      /// The number of the line, counted from 0.
      let line: Int
      let name: String
      /// `nil` without an equals sign.
      let value: String?
    }

    /// A fault and its line, counted from 0.
    struct Problem: Error {
      let line: Int
      let words: String
    }

    private(set) var options: [Option] = []

    /// Reads the whole text.
    ///
    /// - Parameters:
    ///   - home: The replacement for `~` at the beginning of a value.
    ///   - isVerb: Tells whether there is a verb of that name.
    init(_ text: String, home: String?, isVerb: (String) -> Bool) throws(Problem) {
      var verb = ""
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (index, line) in lines.enumerated() {
        let line = Self.trimmed(line)
        if line.isEmpty || line.hasPrefix("#") { continue }
        if line.hasPrefix("["), line.hasSuffix("]") {
          verb = Self.trimmed(line.dropFirst().dropLast())
          guard isVerb(verb) else {
            throw Problem(line: index, words: "there is no verb '\(Console.printable(verb))'")
          }
          continue
        }
        options.append(try Self.option(line, at: index, of: verb, home))
      }
    }

    private static func option(
      _ line: String, at index: Int, of verb: String, _ home: String?
    ) throws(Problem) -> Option {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = trimmed(parts[0])
      guard !name.isEmpty, !name.hasPrefix("-"), !name.contains(" ") else {
        throw Problem(
          line: index, words: "write 'option = value', the option without its hyphens")
      }
      guard !verb.isEmpty || ["db", "fleet"].contains(name) else {
        throw Problem(
          line: index,
          words: "'\(Console.printable(name))' is for some verbs only; put it under [VERB]")
      }
      var value = parts.count > 1 ? trimmed(parts[1]) : nil
      if let home, let path = value, path.hasPrefix("~/") { value = home + path.dropFirst() }
      if name == "db", value?.hasPrefix("/") != true {
        throw Problem(line: index, words: "the path of a store begins with / or ~/ here")
      }
      return Option(verb: verb, line: index, name: name, value: value)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
      let text = text.drop(while: \.isWhitespace)
      guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
      return String(text[...last])
    }
  }
#endif
