/// The texts accepted as e-mail addresses. None may contain an invisible character.
public enum EmailGrammar: String, Sendable, Hashable, Codable, CaseIterable {
  /// The addresses that mail providers give out: a dot-atom of RFC 5322 before the `@`, and a domain with a dot
  /// after it. The domain's last label has two characters or more and is no number.
  case practical
  /// Names of ASCII letters, digits, `_`, `-`, `+`, joined by single dots. The domain's last label has two letters
  /// or more.
  case ascii
  /// The forms that RFC 5321 and RFC 5322 allow in one address without folding. They include quoted names, comments
  /// in parentheses, domains without a dot, and IP addresses in brackets.
  case rfcLike
}

/// Reads an e-mail address from front to back.
struct EmailScanner {
  private let grammar: EmailGrammar
  private let international: Bool
  private var cursor: TextCursor

  /// True when the text is an address. Takes one pass. A text longer than 254 octets is refused unread (RFC 5321,
  /// section 4.5.3.1.3, without the angle brackets).
  static func accepts(_ text: String, _ grammar: EmailGrammar, international: Bool) -> Bool {
    guard text.utf8.count <= 254 else { return false }
    var scanner = EmailScanner(
      grammar: grammar, international: international, cursor: TextCursor(text))
    return scanner.takeName() && scanner.cursor.take("@") && scanner.takeDomain()
      && scanner.cursor.isAtEnd
  }

  /// Takes the part before the `@`, at most 64 octets of it (RFC 5321, section 4.5.3.1.1).
  private mutating func takeName() -> Bool {
    var octets = -1
    repeat {
      guard skipComments() else { return false }
      let start = cursor.bytes
      guard grammar == .rfcLike && cursor.next == "\"" ? takeQuoted() : takeAtom() else {
        return false
      }
      octets += cursor.bytes - start + 1
      guard skipComments() else { return false }
    } while cursor.take(".")
    return octets <= 64
  }

  private mutating func skipComments() -> Bool {
    grammar != .rfcLike || cursor.skipComments()
  }

  private mutating func takeAtom() -> Bool {
    cursor.take { scalar in
      if scalar.isASCIILetterOrDigit { return true }
      switch scalar {
      case "_", "-", "+": return true
      case "!", "#", "$", "%", "&", "'", "*", "/", "=", "?", "^", "`", "{", "|", "}", "~":
        return grammar != .ascii
      default: return international && !scalar.isASCII && scalar.isVisible
      }
    } > 0
  }

  /// Takes a name in quotation marks, where a backslash quotes one character; it may be empty.
  private mutating func takeQuoted() -> Bool {
    cursor.advance()
    while let scalar = cursor.next, scalar != "\"" {
      if scalar == "\\" { cursor.advance() }
      guard let quoted = cursor.next,
        quoted.isPrintableASCII || (international && !quoted.isASCII && quoted.isVisible)
      else { return false }
      cursor.advance()
    }
    return cursor.take("\"")
  }

  private mutating func takeDomain() -> Bool {
    if grammar == .rfcLike {
      guard cursor.skipComments() else { return false }
      if cursor.take("[") { return takeAddressLiteral() && cursor.skipComments() }
    }
    guard
      let name = cursor.takeDomainName(
        international: international, comments: grammar == .rfcLike)
    else { return false }
    return switch grammar {
    case .rfcLike: true
    case .practical: name.labels > 1 && name.lastLength > 1 && !name.lastIsNumeric
    case .ascii:
      name.labels > 1 && name.lastLength > 1 && (name.lastIsLetters || international)
        && !name.lastIsNumeric
    }
  }

  /// Takes an IP address up to its bracket (RFC 5321, section 4.1.3).
  private mutating func takeAddressLiteral() -> Bool {
    let isAddress = cursor.take(word: "ipv6:") ? cursor.takeIPv6() : cursor.takeIPv4()
    return isAddress && cursor.take("]")
  }
}
