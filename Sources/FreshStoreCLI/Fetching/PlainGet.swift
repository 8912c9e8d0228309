#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// A `get` that can be parsed without the parser of all verbs: its options, each with its value,
  /// change nothing about a fresh copy or its display.
  ///
  /// The parser reads the same in the same way; short options have been spelled out for both. Everything
  /// else, right or wrong, is left to the parser.
  struct PlainGet {
    /// True when a command after `--` is the source.
    private(set) var isOfCommand = false
    private(set) var path: String?
    private(set) var headers: [String] = []
    private var key: String?
    private var collection: String?
    private var given: [String] = []

    private struct NotPlain: Error {}

    /// - Parameter arguments: All of them, the program's name first.
    init(_ arguments: [String]) throws {
      guard arguments.count > 2, arguments[1] == "get",
        // The replacement for bytes that are no text.
        !arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") })
      else { throw NotPlain() }
      var rest = arguments[2...]
      var isEnded = false
      while let word = rest.popFirst() {
        if word == "--" {
          isEnded = true
          break
        }
        if word.hasPrefix("-") {
          try take(word, &rest)
        } else {
          guard key == nil, !word.isEmpty else { throw NotPlain() }
          key = word
        }
      }
      isOfCommand = !rest.isEmpty
      if key == nil, isOfCommand {
        key = RawArguments.command.map { CommandLineIdentity($0).key }
      }
      let isURL = try name.url != nil
      guard isOfCommand ? headers.isEmpty && rest.first != "" : isURL && !isEnded else {
        throw NotPlain()
      }
    }

    /// The requested record.
    var name: RecordName {
      get throws {
        guard let key else { throw NotPlain() }
        return try RecordName(key, collection: collection)
      }
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws {
      switch word {
      // At most one of those about reachability is allowed.
      case "--online", "--offline", "--ignore-reachability", "--ask-reachability":
        return try note("--online")
      case "--fail-on-stale": return try note(word)
      case "--quiet", "-q": return try note("--quiet")
      default: break
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(),
        !value.isEmpty, !value.hasPrefix("-")
      else { throw NotPlain() }
      let option = String(parts[0])
      if option != "--header", option != "--tag" { try note(option) }
      switch option {
      case "--header": headers.append(value)
      case "--tag": break
      case "--collection": collection = value
      case "--db": path = value
      case "--expiry": _ = try DurationText.expiry(value)
      case "--max-size": _ = try SizeText.valueSize(value)
      case "--stale-if-error", "--stale-while-revalidate": _ = try DurationText.span(value)
      case "--timeout": _ = try DurationText.positive(value)
      default: throw NotPlain()
      }
    }

    /// Refuses an option that was given before.
    private mutating func note(_ option: String) throws {
      guard !given.contains(option) else { throw NotPlain() }
      given.append(option)
    }

    // MARK: Printing

    /// Prints the copy if it is fresh; `nil` when it is not, or on any obstacle: then the call has
    /// had no effect.
    ///
    /// The reachability of the source matters only to a stale copy, so it is not checked here, and
    /// no thread is started.
    ///
    /// In a fleet others may have marked it.
    func printFresh() -> ExitStatus? {
      guard FleetAddress.ofEnvironment == nil else { return nil }
      let value: [UInt8]
      do {
        guard let fresh = try freshValue() else { return nil }
        value = fresh
      } catch {
        // The long way comes to the same result, and gives the reason.
        return nil
      }
      Process.ignoreBrokenPipes()
      do throws(CommandFailure) {
        try StandardOutput.value(value)
        return .served
      } catch {
        return error.told()
      }
    }

    private func freshValue() throws -> [UInt8]? {
      let name = try name
      // A faulty environment is an error for a fresh copy, too.
      _ = try ReachabilityOverride.ofEnvironment()
      let path = try path ?? StoreOptions.pathOfEnvironment ?? DefaultPath.find()
      let http = HTTPConfiguration(
        headers: try HeaderText.fields(headers),
        proxies: isOfCommand ? .none : try Proxies.ofEnvironment())
      try http.validate()
      let line = isOfCommand ? RawArguments.command.map { CommandLineIdentity($0) } : nil
      // What another command has printed is served, too, but not without a word.
      return try FreshCopy.bytes(of: name.key, in: name.collection, at: path) { content in
        http.selects(variant: content.variant) && line?.differs(from: content.metadata) != true
      }
    }
  }
#endif
