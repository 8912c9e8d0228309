#if CommandLine
  internal import Platform

  /// The user's file of options that would be typed again and again: lines such as `stale-if-error = 1d`,
  /// those for one verb under its name, as in `[get]` or `[outbox list]`. What stands before the first
  /// name is for every verb, and can only be the store.
  struct Settings {
    private static let variable = "FRESHSTORE_CONFIG"
    private static let longest = 64 << 10

    /// The file; `nil` when nothing is to be read.
    private let path: String?
    private var options: [String: [Option]] = [:]

    private struct Option {
      let line: Int
      let name: String
      let value: String?

      var argument: String { "--\(name)" + (value.map { "=\($0)" } ?? "") }
    }

    /// Reads the file that the environment names, or else the one in the user's folder, which may be
    /// missing.
    private init() throws(CommandFailure) {
      let named = Process.variable(Self.variable)
      path = named.map { $0.isEmpty ? nil : $0 } ?? Self.defaultPath
      guard let path, named != nil || !Descriptor.isMissing(path) else { return }
      let bytes: [UInt8]
      do throws(Descriptor.Failure) {
        bytes = try Descriptor.read(path: path, limit: Self.longest)
      } catch {
        throw CommandFailure(
          .usage, "the configuration \(path.debugDescription) cannot be read: \(error.words)")
      }
      guard bytes.count <= Self.longest, let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure(
          .usage, "the configuration \(path.debugDescription) is no text of at most 64 KiB")
      }
      try read(text)
    }

    private static var defaultPath: String? {
      if let path = Process.variable("XDG_CONFIG_HOME"), path.hasPrefix("/") {
        return path + "/freshstore/config"
      }
      guard let home = Process.variable("HOME"), home.hasPrefix("/") else { return nil }
      return home + "/.config/freshstore/config"
    }

    private mutating func read(_ text: String) throws(CommandFailure) {
      var verb = ""
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (index, line) in lines.enumerated() {
        let line = Self.trimmed(line)
        if line.isEmpty || line.hasPrefix("#") { continue }
        if line.hasPrefix("["), line.hasSuffix("]") {
          verb = Self.trimmed(line.dropFirst().dropLast())
          guard FreshStoreCommand.type(of: verb) != nil else {
            throw problem(index, "there is no verb '\(Console.printable(verb))'")
          }
          continue
        }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Self.trimmed(parts[0])
        guard !name.isEmpty, !name.hasPrefix("-"), !name.contains(" ") else {
          throw problem(index, "write 'option = value', the option without its hyphens")
        }
        guard !verb.isEmpty || name == "db" else {
          throw problem(
            index, "'\(Console.printable(name))' is for some verbs only; put it under [VERB]")
        }
        var value = parts.count > 1 ? Self.trimmed(parts[1]) : nil
        if let path = value, path.hasPrefix("~/"), let home = Process.variable("HOME") {
          value = home + path.dropFirst()
        }
        if name == "db", value?.hasPrefix("/") != true {
          throw problem(index, "the path of a store begins with / or ~/ here")
        }
        options[verb, default: []].append(Option(line: index, name: name, value: value))
      }
    }

    private func problem(_ index: Int, _ words: String) -> CommandFailure {
      CommandFailure(
        .usage,
        "line \(index + 1) of the configuration \((path ?? "").debugDescription) is wrong: \(words)"
      )
    }

    /// The arguments with the user's options of their verb behind it. One on the command line takes the
    /// place of all of that name in the file, and the environment names the store before the file does.
    static func applied(to arguments: [String]) throws(CommandFailure) -> [String] {
      guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return arguments }
      return try Settings().added(to: arguments)
    }

    private func added(to arguments: [String]) throws(CommandFailure) -> [String] {
      guard !options.isEmpty else { return arguments }
      let isNested = FreshStoreCommand.verbs(below: arguments[1]) != nil && arguments.count > 2
      let end = isNested ? 3 : 2
      let verb = arguments[1..<end].joined(separator: " ")
      guard let known = KnownOptions(of: verb) else { return arguments }
      let given = arguments[end...].prefix { $0 != "--" }
      var added: [String] = []
      for option in (options[""] ?? []) + (options[verb] ?? []) {
        if option.name == "db", StoreOptions.pathOfEnvironment != nil || !known.has("db") {
          continue
        }
        if let words = known.problem(of: option.name, option.value) {
          throw problem(option.line, words)
        }
        let isUsed = !Self.ofConnections.contains(option.name) || connects(verb, arguments, given)
        let names = Self.exclusive.first { $0.contains(option.name) } ?? [option.name]
        let isReplaced = given.contains { word in
          names.contains { word == "--\($0)" || word.hasPrefix("--\($0)=") }
        }
        if isUsed, !isReplaced { added.append(option.argument) }
      }
      return Array(arguments[..<end]) + added + arguments[end...]
    }

    /// True where the verb sends requests itself: for a command or a sweep without a refetch, what the file
    /// says of connections is not meant.
    private func connects(
      _ verb: String, _ arguments: [String], _ given: ArraySlice<String>
    ) -> Bool {
      switch verb {
      case "get", "explain": !arguments.contains("--")
      case "sweep":
        given.contains("--refetch") || options[verb]?.contains { $0.name == "refetch" } == true
      default: true
      }
    }

    /// Options that exclude each other, or belong together.
    private static let exclusive = [
      ["online", "offline", "ignore-reachability", "ask-reachability"], ["cacert", "insecure"],
      ["cert", "key"], ["netrc", "netrc-file"],
    ]
    private static let ofConnections = [
      "header", "headers", "cacert", "insecure", "cert", "key", "netrc", "netrc-file", "retry",
      "connect-timeout", "max-redirs", "unix-socket",
    ]

    /// The store that the file names, for every verb.
    static var database: String? {
      get throws(CommandFailure) { try Settings().options[""]?.last?.value }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
      let text = text.drop(while: \.isWhitespace)
      guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
      return String(text[...last])
    }
  }
#endif
