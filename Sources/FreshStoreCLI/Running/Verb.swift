#if CommandLine

  /// The verb that a command line names.
  enum Verb {
    /// The fault of the verb, for standard error; `nil` when the verb exists, or the parser knows better.
    static func problem(of arguments: [String]) -> String? {
      guard let word = arguments.dropFirst().first else {
        return "say what to do, as in 'freshstore get URL'; 'freshstore --help' lists the verbs"
      }
      if arguments.count > 1, !arguments.dropFirst().contains(where: { !$0.hasPrefix("-") }),
        word.hasPrefix("--db") || word == "--json" || word == "-v" || word == "--verbose"
      {
        return "say what to do, as in 'freshstore list'; 'freshstore --help' lists the verbs"
      }
      let asked = word == "help" ? arguments.dropFirst(2).first : word
      guard let asked, !asked.hasPrefix("-"), asked != "help" else { return nil }
      guard FreshStoreCommand.verbs.contains(asked) else {
        return unknown(asked, among: FreshStoreCommand.verbs + ["help"], below: "freshstore")
      }
      if word == "serve", arguments.contains("--json") {
        return "serve has no --json; for lines of JSON write --log FILE --log-json"
      }
      guard let inner = FreshStoreCommand.verbs(below: asked) else { return nil }
      let place = word == "help" ? 3 : 2
      guard arguments.count > place else {
        let names = inner.joined(separator: ", ")
        return word == "help" ? nil : "say what to do with the \(asked): \(names)"
      }
      let next = arguments[place]
      guard !next.hasPrefix("-"), !inner.contains(next) else { return nil }
      return unknown(next, among: inner, below: "freshstore \(asked)")
    }

    private static func unknown(_ word: String, among names: [String], below parent: String)
      -> String
    {
      "there is no verb '\(Console.printable(word))'; "
        + (nearest(to: word, among: names).map { "did you mean '\($0)'?" }
          ?? "'\(parent) --help' lists the verbs")
    }

    /// True for a verb that runs the command after `--`.
    static func runsCommand(_ arguments: [String]) -> Bool {
      arguments.count > 1 && ["get", "explain", "watch"].contains(arguments[1])
    }

    /// The arguments, with the options of every verb moved from before the verb to after it.
    static func reordered(_ arguments: [String]) -> [String] {
      var words = arguments.dropFirst()
      var moved: [String] = []
      while let word = words.first {
        switch word {
        case "--json", "-v", "--verbose": moved.append(word)
        case "--db":
          guard words.count > 1 else { return arguments }
          moved += words.prefix(2)
          words = words.dropFirst()
        case _ where word.hasPrefix("--db="): moved.append(word)
        default:
          guard !moved.isEmpty, !word.hasPrefix("-") else { return arguments }
          let isNested = ["fleet", "outbox", "sync"].contains(word) && words.count > 1
          let count = isNested ? 2 : 1
          return arguments.prefix(1) + words.prefix(count) + moved + words.dropFirst(count)
        }
        words = words.dropFirst()
      }
      return arguments
    }

    /// The name that a mistyped word most likely means. One letter of it is wrong, or two of a long one.
    static func nearest(to word: String, among names: [String]) -> String? {
      let distances = names.map { (name: $0, distance: distance(from: word, to: $0)) }
      guard let best = distances.min(by: { $0.distance < $1.distance }),
        best.distance <= (word.count < 6 ? 1 : 2)
      else { return nil }
      return best.name
    }

    /// The number of letters to insert, remove, replace, or swap with a neighbour.
    private static func distance(from first: String, to second: String) -> Int {
      let (first, second) = (Array(first), Array(second))
      var rows = [Array(0...second.count)]
      for (row, letter) in first.enumerated() {
        var next = [row + 1]
        for (column, other) in second.enumerated() {
          var cost = min(
            rows[row][column + 1] + 1, next[column] + 1,
            rows[row][column] + (letter == other ? 0 : 1))
          if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
            cost = min(cost, rows[row - 1][column - 1] + 1)
          }
          next.append(cost)
        }
        rows.append(next)
      }
      return rows[first.count][second.count]
    }
  }

  /// Short options with a value in the same word, as other programs take them: `-oFILE` as well as `-o FILE`.
  ///
  /// They are spelled out before any parser reads the arguments. The full parser has no such form for a value with an
  /// equals sign, which most headers of `-H` have.
  enum ShortOptions {
    private static let names = [
      "get": ["-H": "--header", "-o": "--output"], "explain": ["-H": "--header"],
    ]

    /// The arguments with the long name of each such option.
    ///
    /// Arguments of a command after `--` stay as they are. So do values: the value of an option does not begin with a
    /// hyphen.
    static func spelledOut(_ arguments: [String]) -> [String] {
      guard arguments.count > 2, let names = names[arguments[1]] else { return arguments }
      let own = arguments.prefix { $0 != "--" }
      return own.map { spelledOut($0, names) } + arguments[own.endIndex...]
    }

    private static func spelledOut(_ word: String, _ names: [String: String]) -> String {
      guard let name = names[String(word.prefix(2))] else { return word }
      let value = word.dropFirst(2)
      if value.isEmpty { return name }
      return name + (value.hasPrefix("=") ? value : "=" + value)
    }
  }
#endif
