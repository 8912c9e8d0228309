#if CommandLine
  internal import ArgumentParser

  /// The options of a verb, as its help lists them.
  struct KnownOptions {
    /// By name: true for one that takes a value.
    private let takesValue: [String: Bool]
    private let verb: String

    /// - Parameter verb: Its name, as in `outbox list`; `nil` for none that exists.
    init?(of verb: String) {
      guard let type = FreshStoreCommand.type(of: verb) else { return nil }
      self.verb = verb
      let help = FreshStoreCommand.helpMessage(for: type, columns: 200)
      var takesValue: [String: Bool] = [:]
      for line in help.split(separator: "\n") {
        guard let match = line.firstMatch(of: /^  (?:-[a-zA-Z], )?--([a-z][-a-z]*)( <)?/) else {
          continue
        }
        takesValue[String(match.output.1)] = match.output.2 != nil
      }
      self.takesValue = takesValue
    }

    func has(_ name: String) -> Bool { takesValue[name] != nil }

    /// What is wrong with an option; `nil` when nothing is.
    func problem(of name: String, _ value: String?) -> String? {
      let shown = Console.printable(name)
      switch (takesValue[name], value) {
      case (nil, _): return "\(verb) has no option --\(shown)"
      case (true?, nil), (true?, ""?): return "--\(shown) takes a value; write \(shown) = VALUE"
      case (false?, .some): return "--\(shown) takes no value; write \(shown) alone"
      default: return nil
      }
    }
  }
#endif
