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
        covers: { address in rule(for: address) != nil },
        refusal: { address, _, bytes in
          guard let report = rule(for: address)?.check(bytes, .first),
            !report.isValid(strict: false)
          else { return nil }
          return "\(report)"
        })
    }

    private func rule(for address: String) -> Rule<[UInt8]>? {
      entries.first { $0.pattern.fits(address) }?.rule
    }
  }
#endif
