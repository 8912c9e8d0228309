#if CommandLine
  internal import FreshGateway
  internal import FreshHTTP
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

  /// Addresses: a path, or a whole address, in which each `*` stands for any characters.
  struct AddressPattern: Sendable {
    private let pattern: [UInt8]
    private let isPath: Bool

    init?(_ text: String) {
      isPath = text.hasPrefix("/")
      guard isPath || text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
      pattern = Array(text.utf8)
    }

    /// A path without a query fits whatever query the address has.
    func fits(_ address: String) -> Bool {
      guard isPath else { return Self.fits(Array(address.utf8), pattern) }
      guard let host = address.firstRange(of: "://")?.upperBound,
        let slash = address[host...].utf8.firstIndex(of: UInt8(ascii: "/"))
      else { return false }
      var text = Array(address[slash...].utf8)
      let question = UInt8(ascii: "?")
      if !pattern.contains(question), let query = text.firstIndex(of: question) {
        text.removeSubrange(query...)
      }
      return Self.fits(text, pattern)
    }

    private static func fits(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
      var (place, at) = (0, 0)
      // The last star, and how far it reaches.
      var star: (pattern: Int, text: Int)?
      while place < text.count {
        if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
          star = (at, place)
          at += 1
        } else if at < pattern.count, pattern[at] == text[place] {
          (place, at) = (place + 1, at + 1)
        } else if let last = star {
          star = (last.pattern, last.text + 1)
          (place, at) = (last.text + 1, last.pattern + 1)
        } else {
          return false
        }
      }
      return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
  }
#endif
