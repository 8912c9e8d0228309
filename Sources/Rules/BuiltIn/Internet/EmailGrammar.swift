/// Which texts are taken for e-mail addresses. None takes a character that a reader cannot see.
public enum EmailGrammar: String, Sendable, Hashable, Codable, CaseIterable {
  /// What people have and mail providers give: a dot-atom of RFC 5322 before the `@`, a domain with
  /// a dot behind it whose last label has two characters or more and is no number.
  case practical
  /// Names of ASCII letters, digits, `_`, `-`, `+`, joined by single dots; the domain's last label
  /// of two letters or more.
  case ascii
  /// What RFC 5321 and RFC 5322 allow in one address without folding: quoted names, comments in
  /// parentheses, domains without a dot, and IP addresses in brackets.
  case rfcLike
}
