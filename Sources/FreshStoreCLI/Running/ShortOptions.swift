#if CommandLine
  /// Short options with a value as other programs take them, too: `-oFILE` as well as `-o FILE`.
  ///
  /// They are spelled out before anybody reads the arguments. The parser of all verbs has no such form for a
  /// value with an equals sign, as most headers of `-H` have one.
  enum ShortOptions {
    private static let names = [
      "get": ["-H": "--header", "-o": "--output"], "explain": ["-H": "--header"],
    ]

    /// The arguments with the long name of each such option. Those of a command after `--` are left alone, and
    /// no value is among them: the value of an option does not begin with a hyphen.
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
