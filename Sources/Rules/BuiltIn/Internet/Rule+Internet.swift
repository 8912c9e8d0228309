extension Rule where Value == String {
  /// Accepts an e-mail address. Its existence is not checked; see ``AsyncRule/emailDomain(_:)``.
  ///
  /// - Parameter international: Whether the name may have visible characters of any script, and the domain letters
  ///   of any script (RFC 6531); by default only ASCII.
  public static func email(
    _ grammar: EmailGrammar = .practical, international: Bool = false
  ) -> Rule {
    Rule(code: "not-an-email", parameters: ["grammar": .text(grammar.rawValue)]) {
      EmailScanner.accepts($0, grammar, international: international)
    }
  }

  /// Accepts a URL of this form.
  public static func url(_ form: URLForm = .web) -> Rule {
    Rule(
      code: "not-a-url", parameters: ["schemes": .list(form.schemes.map(Parameter.text))]
    ) {
      URLScanner.accepts($0, form)
    }
  }

  /// Accepts an IP address in the common notation only. IPv4 is four decimal numbers without leading zeros (RFC
  /// 3986); IPv6 is RFC 4291, section 2.2, without a zone.
  public static func ipAddress(_ version: IPVersion = .any) -> Rule {
    Rule(code: "not-an-ip-address", parameters: ["version": .text(version.rawValue)]) { text in
      version.accepts(text, network: false)
    }
  }

  /// Accepts an IP address with a prefix length, such as `10.0.0.0/8` (RFC 4632). Bits after the prefix may be set.
  public static func ipNetwork(_ version: IPVersion = .any) -> Rule {
    Rule(code: "not-an-ip-network", parameters: ["version": .text(version.rawValue)]) { text in
      version.accepts(text, network: true)
    }
  }

  /// Accepts a domain name with at least so many labels (RFC 1123, section 2.1) and no dot at its end.
  public static func domainName(labels: Int = 2, international: Bool = false) -> Rule {
    Rule(code: "not-a-domain-name", parameters: ["labels": .integer(labels)]) { text in
      var cursor = TextCursor(text)
      guard let name = cursor.takeDomainName(international: international) else { return false }
      return cursor.isAtEnd && name.labels >= labels && !name.lastIsNumeric
    }
  }

  /// Accepts a telephone number in the international form of ITU-T E.164. It has a `+`, a country code that does
  /// not begin with 0, and 7 to 15 digits in all.
  ///
  /// - Parameter separators: Single spaces, hyphens and dots are allowed between digits.
  public static func phone(separators: Bool = false) -> Rule {
    Rule(code: "not-a-phone-number") { text in
      var cursor = TextCursor(text)
      guard cursor.take("+"), cursor.next != "0" else { return false }
      let digits = cursor.takeDigits(separatedBy: separators ? " -." : "") { _ in }
      return cursor.isAtEnd && 7...15 ~= digits
    }
  }
}

/// The version of the Internet Protocol.
public enum IPVersion: String, Sendable, Hashable, Codable, CaseIterable {
  /// Version 4.
  case v4
  /// Version 6.
  case v6
  /// Either.
  case any

  func accepts(_ text: String, network: Bool) -> Bool {
    (self != .v6 && Self.accepts(text, network ? 32 : nil) { $0.takeIPv4() })
      || (self != .v4 && Self.accepts(text, network ? 128 : nil) { $0.takeIPv6() })
  }

  private static func accepts(
    _ text: String, _ bits: Int?, _ takeAddress: (inout TextCursor) -> Bool
  ) -> Bool {
    var cursor = TextCursor(text)
    guard takeAddress(&cursor) else { return false }
    if let bits, !cursor.takePrefixLength(upTo: bits) { return false }
    return cursor.isAtEnd
  }
}
