#if CommandLine
  internal import ArgumentParser
  internal import Platform

  /// The user's file of options that would be typed again and again: lines such as `stale-if-error = 1d`,
  /// those for one verb under its name, as in `[get]` or `[outbox list]`. What stands before the first
  /// name is for every verb, and can only be the store and the fleet.
  struct Settings {
    private static let variable = "FRESHSTORE_CONFIG"
    private static let longest = 64 << 10

    /// The file; `nil` when nothing is to be read.
    private let path: String?
    /// By their verb; those for every verb under an empty name.
    private var options: [String: [SettingsText.Option]] = [:]

    /// Reads the file that the environment names, or else the one in the user's folder, which may be
    /// missing.
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
      // As with the other files that hold such.
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

    /// The arguments with the user's options of their verb behind it. One on the command line takes the
    /// place of all of that name in the file, and the environment names the store and the fleet before the file
    /// does.
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

    /// True for a store or a fleet that the environment names; a variable that is empty names no fleet.
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
