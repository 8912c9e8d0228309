#if CommandLine
  internal import ArgumentParser
  internal import Platform

  /// The user's file of options that would be typed again and again.
  ///
  /// A line is like `stale-if-error = 1d`. Options for one verb follow its name, as in `[get]` or `[outbox list]`.
  /// Options before the first name are for every verb, and can only be the store and the fleet.
  struct Settings {
    private static let variable = "FRESHSTORE_CONFIG"
    private static let longest = 64 << 10

    /// The file; `nil` when none is read.
    private let path: String?
    /// The options by verb; an empty name is for every verb.
    private var options: [String: [SettingsText.Option]] = [:]

    /// Reads the file that the environment names, or else the file in the user's folder, which may be missing.
    private init() throws(CommandFailure) {
      let named = Process.variable(Self.variable)
      path = named.map { $0.isEmpty ? nil : $0 } ?? Self.defaultPath
      guard let path, named != nil || !Descriptor.isMissing(path) else { return }
      let content: Descriptor.Content
      do throws(Descriptor.Failure) {
        content = try Descriptor.content(of: path, limit: Self.longest)
      } catch {
        throw CommandFailure(
          .inputOutput, "the configuration \(path.debugDescription) cannot be read: \(error.words)")
      }
      guard content.bytes.count <= Self.longest,
        let text = String(validating: content.bytes, as: UTF8.self)
      else {
        throw CommandFailure(
          .usage, "the configuration \(path.debugDescription) is no text of at most 64 KiB")
      }
      let settings: SettingsText
      do throws(SettingsText.Problem) {
        settings = try SettingsText(text, home: Process.variable("HOME")) {
          FreshStoreCommand.type(of: $0) != nil
        }
      } catch {
        throw problem(error.line, error.words)
      }
      // The same holds for other files with secrets.
      if content.isOpenToOthers, let secret = settings.options.first(where: \.isSecret) {
        let secrets = secret.name == "fleet" ? "the credentials of the fleet" : "the headers"
        throw PrivateFile.exposure(of: secrets, in: path)
      }
      options = Dictionary(grouping: settings.options, by: \.verb)
    }

    private static var defaultPath: String? {
      if let path = Process.variable("XDG_CONFIG_HOME"), path.hasPrefix("/") {
        return path + "/freshstore/config"
      }
      guard let home = Process.variable("HOME"), home.hasPrefix("/") else { return nil }
      return home + "/.config/freshstore/config"
    }

    private func problem(_ index: Int, _ words: String) -> CommandFailure {
      CommandFailure(
        .usage,
        "line \(index + 1) of the configuration \((path ?? "").debugDescription) is wrong: \(words)"
      )
    }

    /// The arguments, with the options of the file after the verb.
    ///
    /// An option on the command line replaces all options of that name in the file. The store and the fleet that the
    /// environment names go before those of the file.
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
        if Self.isNamedElsewhere(option) || option.verb.isEmpty && !known.has(option.name) {
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

    /// True when the verb sends requests itself. The options for connections are not for a command, or for a sweep
    /// without a refetch.
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

    /// True for a store or a fleet that the environment names; an empty variable names no fleet.
    private static func isNamedElsewhere(_ option: SettingsText.Option) -> Bool {
      switch option.name {
      case "db": StoreOptions.pathOfEnvironment != nil
      case "fleet": Process.variable(FleetAddress.variable) != nil
      default: false
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
      get throws(CommandFailure) { try Settings().options[""]?.last { $0.name == "db" }?.value }
    }
  }

  extension SettingsText.Option {
    fileprivate var argument: String { "--\(name)" + (value.map { "=\($0)" } ?? "") }

    /// True for a header whose name says that it identifies the caller, and for an address with a password.
    fileprivate var isSecret: Bool {
      if name == "fleet" { return FleetAddress.mayHoldSecret(value ?? "") }
      guard name == "header", let field = value?.prefix(while: { $0 != ":" }).lowercased() else {
        return false
      }
      return ["auth", "cookie", "token", "key", "secret", "session", "password"]
        .contains { field.contains($0) }
    }
  }

  /// The options of a verb, as its help lists them.
  struct KnownOptions {
    /// True for an option that takes a value, by name.
    private let takesValue: [String: Bool]
    private let verb: String

    /// - Parameter verb: The name of the verb, such as `outbox list`. The result is `nil` when there is no such verb.
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

    /// The fault of an option; `nil` for none.
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
