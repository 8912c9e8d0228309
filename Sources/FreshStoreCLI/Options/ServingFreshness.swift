#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import Rules

  /// The options for how long a gateway's copies are fresh without a stated lifetime, and for reloads.
  struct ServingFreshness: ParsableArguments {
    @Option(
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        """
        How long a copy is fresh whose answer does not say how long (no max-age, s-maxage or Expires): 30s, or for these \
        paths alone '/api/*=5m'; * stands for any characters, and the first that fits counts, before one without a path. \
        It is for 200, 203, 204, 206, 300, 301 and 308, and with --origin one with a path is for 302, 303 and 307, too. \
        It overrides nothing that forbids to keep an answer, or to use it without asking. Repeatable. (default: a tenth of \
        the time since Last-Modified, or not at all)
        """, valueName: "pattern=duration"), transform: ServingFreshness.lifetime)
    var expiry: [AssumedLifetimes.Entry] = []

    @Option(
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "The same for answers with 404, 405, 410, 414 and 501. Repeatable. (default: as for others without --expiry)",
        valueName: "pattern=duration"), transform: ServingFreshness.lifetime)
    var expiryAbsent: [AssumedLifetimes.Entry] = []

    @Option(
      help: ArgumentHelp(
        """
        Answer reloads of these paths from fresh copies, too: '/*' for all. A request with no-cache, max-age or \
        min-fresh in Cache-Control, or with Pragma, is then no reason to ask the origin. Repeatable. (default: it is)
        """, valueName: "pattern"), transform: PatternText.parse)
    var ignoreReload: [AddressPattern] = []

    private static func lifetime(_ text: String) throws -> AssumedLifetimes.Entry {
      guard !PatternText.isList(text) else { throw ValidationError(PatternText.oneAtATime) }
      // A pattern may have an equals sign; a duration never has one.
      guard let separator = text.utf8.lastIndex(of: UInt8(ascii: "=")) else {
        return AssumedLifetimes.Entry(nil, try DurationText.span(text))
      }
      return AssumedLifetimes.Entry(
        try PatternText.parse(String(text[..<separator])),
        try DurationText.span(String(text[text.utf8.index(after: separator)...])))
    }

    func apply(to options: inout GatewayOptions) {
      options.lifetimes.found = expiry
      options.lifetimes.absent = expiryAbsent
      options.ignoredReloads = ignoreReload
    }
  }

  /// A pattern of addresses, as people write it.
  enum PatternText {
    static func parse(_ text: String) throws -> AddressPattern {
      guard !isList(text) else { throw ValidationError(oneAtATime) }
      guard let pattern = AddressPattern(text) else {
        throw ValidationError(
          "its pattern is a path, as in '/api/*', or a whole address that begins with http:// or https://"
        )
      }
      return pattern
    }

    /// True for several patterns with commas between them, which no address would match as one. A comma before any
    /// other text is part of an address.
    static func isList(_ text: String) -> Bool {
      text.split(separator: ",", omittingEmptySubsequences: false).dropFirst().contains { part in
        let next = part.drop { $0 == " " }
        return ["/", "http://", "https://"].contains { next.hasPrefix($0) }
      }
    }

    static let oneAtATime =
      "a comma stands before a second pattern; give the option once for each, and write * for a comma of an address"
  }

  /// The rules of a gateway, by the pattern of addresses.
  struct PathRules: Sendable {
    private struct Entry: Sendable {
      let pattern: AddressPattern
      let rule: Rule<[UInt8]>
    }

    private let entries: [Entry]

    /// Reads rules as `PATTERN=FILE`. The first pattern that matches an address decides.
    init(_ texts: [String]) throws(CommandFailure) {
      var entries: [Entry] = []
      for text in texts {
        guard !PatternText.isList(text) else {
          throw CommandFailure(.usage, "--rules: \(PatternText.oneAtATime)")
        }
        // A pattern may have a query with an equals sign; a file name hardly ever has one.
        guard let separator = text.utf8.lastIndex(of: UInt8(ascii: "=")),
          let pattern = AddressPattern(String(text[..<separator]))
        else {
          throw CommandFailure(
            .usage,
            "--rules takes PATTERN=FILE, as in '/api/*=rules.json', and not '\(Console.printable(text))'"
          )
        }
        let path = String(text[text.utf8.index(after: separator)...])
        let file = try RulesFile(path: path, scenario: nil)
        entries.append(Entry(pattern: pattern, rule: file.schema.bytesRule(in: file.scenario)))
      }
      self.entries = entries
    }

    /// The check of responses for a gateway; `nil` without rules.
    var admission: ContentAdmission? {
      guard !entries.isEmpty else { return nil }
      return ContentAdmission(
        covers: { address in !rules(for: address).isEmpty },
        refusal: { address, _, bytes in
          for rule in rules(for: address) {
            let report = rule.check(bytes, .first)
            if !report.isValid(strict: false) { return "\(report)" }
          }
          return nil
        })
    }

    /// The rules for an address as it is written, and as origins decode it, so that no spelling gets round them.
    private func rules(for address: String) -> [Rule<[UInt8]>] {
      let places = AddressPattern.Spelling.allCases.compactMap { spelling in
        entries.firstIndex { $0.pattern.fits(address, as: spelling) }
      }
      return Set(places).sorted().map { entries[$0].rule }
    }
  }
#endif
