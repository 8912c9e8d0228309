#if CommandLine
  internal import FreshGateway
  internal import Rules

  /// The rules of a gateway, by the addresses that they are for.
  struct PathRules: Sendable {
    private struct Entry: Sendable {
      let pattern: AddressPattern
      let rule: Rule<[UInt8]>
    }

    private let entries: [Entry]

    /// Reads the rules of `PATTERN=FILE`; the first whose pattern fits an address are its own.
    init(_ texts: [String]) throws(CommandFailure) {
      var entries: [Entry] = []
      for text in texts {
        guard !PatternText.isList(text) else {
          throw CommandFailure(.usage, "--rules: \(PatternText.oneAtATime)")
        }
        // A pattern may have a query, and a file hardly ever such a sign.
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

    /// What a gateway asks; `nil` where there are no rules.
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

    /// Those of an address as it is written, and as origins decode it: no spelling gets round them.
    private func rules(for address: String) -> [Rule<[UInt8]>] {
      let places = AddressPattern.Spelling.allCases.compactMap { spelling in
        entries.firstIndex { $0.pattern.fits(address, as: spelling) }
      }
      return Set(places).sorted().map { entries[$0].rule }
    }
  }
#endif
