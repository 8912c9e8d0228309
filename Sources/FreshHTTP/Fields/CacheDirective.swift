/// One member of a `Cache-Control` field (RFC 9111 section 5.2), not yet interpreted.
package struct CacheDirective: Sendable, Hashable {
  /// What stands behind the name.
  package enum Argument: Sendable, Hashable {
    /// Nothing.
    case absent
    /// The token, or the content of the quoted string: both forms are accepted for every directive.
    case text(String)
    /// Something that is neither, or is followed by something else.
    case malformed
  }

  /// In lower case.
  package let name: String
  /// What stands behind the name.
  package let argument: Argument

  /// Creates a directive; the name in lower case.
  package init(name: String, argument: Argument) {
    self.name = name
    self.argument = argument
  }

  /// Splits a field value, the lines of one message already joined. Members that do not begin with
  /// a token are left out; any text is safe to hand in. The cost is linear in its length.
  package static func list(_ fieldValue: String) -> [CacheDirective] {
    var scanner = ByteScanner(fieldValue)
    var directives: [CacheDirective] = []
    while !scanner.isAtEnd {
      scanner.take { $0 == FieldSyntax.comma || FieldSyntax.isWhitespace($0) }
      let name = scanner.take(while: FieldSyntax.isTokenByte)
      var argument = argument(&scanner)
      scanner.take(while: FieldSyntax.isWhitespace)
      if scanner.current != FieldSyntax.comma && !scanner.isAtEnd {
        argument = .malformed
        scanner.take { $0 != FieldSyntax.comma }
      }
      if !name.isEmpty {
        let name = FieldSyntax.lowercased(String(decoding: name, as: UTF8.self))
        directives.append(CacheDirective(name: name, argument: argument))
      }
    }
    return directives
  }

  private static func argument(_ scanner: inout ByteScanner) -> Argument {
    guard scanner.take(UInt8(ascii: "=")) else { return .absent }
    if scanner.current == FieldSyntax.quote {
      // After an unterminated quote the scan resumes, so that it hides no directive.
      return scanner.quotedString().map { .text(String(decoding: $0, as: UTF8.self)) }
        ?? .malformed
    }
    let token = scanner.take(while: FieldSyntax.isTokenByte)
    return token.isEmpty ? .malformed : .text(String(decoding: token, as: UTF8.self))
  }
}
