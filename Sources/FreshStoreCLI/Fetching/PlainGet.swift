#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// A `get` that needs no full parser: none of its options changes a fresh copy or its display.
  ///
  /// The full parser reads the same arguments in the same way; short options are spelled out before both. All other
  /// arguments, right or wrong, go to the full parser.
  struct PlainGet {
    /// True when a command after `--` is the source.
    private(set) var isOfCommand = false
    private(set) var path: String?
    private(set) var headers: [String] = []
    private var key: String?
    private var collection: String?
    private var given: [String] = []

    private struct NotPlain: Error {}

    /// - Parameter arguments: All arguments, the program's name first.
    init(_ arguments: [String]) throws {
      guard arguments.count > 2, arguments[1] == "get",
        // U+FFFD replaces bytes that are not UTF-8.
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
      // At most one option about reachability is allowed.
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

    /// Prints the copy if it is fresh. Returns `nil`, without any effect, when it is not fresh or on any obstacle.
    ///
    /// Reachability matters only for a stale copy, so that it is not checked here, and no thread is started.
    ///
    /// In a fleet this returns `nil`, because another host may have marked the copy.
    func printFresh() -> ExitStatus? {
      guard FleetAddress.ofEnvironment == nil else { return nil }
      let value: [UInt8]
      do {
        guard let fresh = try freshValue() else { return nil }
        value = fresh
      } catch {
        // The full get comes to the same result, and gives the reason.
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
      // A faulty environment is an error even for a fresh copy.
      _ = try ReachabilityOverride.ofEnvironment()
      let path = try path ?? StoreOptions.pathOfEnvironment ?? DefaultPath.find()
      let http = HTTPConfiguration(
        headers: try HeaderText.fields(headers),
        proxies: isOfCommand ? .none : try Proxies.ofEnvironment())
      try http.validate()
      let line = isOfCommand ? RawArguments.command.map { CommandLineIdentity($0) } : nil
      // The output of another command needs a warning, which only the full get gives.
      return try FreshCopy.bytes(of: name.key, in: name.collection, at: path) { content in
        http.selects(variant: content.variant) && line?.differs(from: content.metadata) != true
      }
    }
  }
#endif
