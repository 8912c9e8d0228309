/// The texts accepted as e-mail addresses. None may contain an invisible character.
public enum EmailGrammar: String, Sendable, Hashable, Codable, CaseIterable {
  /// The addresses that mail providers give out: a dot-atom of RFC 5322 before the `@`, a domain
  /// with a dot after it, whose last label has two characters or more and is no number.
  case practical
  /// Names of ASCII letters, digits, `_`, `-`, `+`, joined by single dots; the domain's last label
  /// of two letters or more.
  case ascii
  /// The forms that RFC 5321 and RFC 5322 allow in one address without folding: quoted names,
  /// comments in parentheses, domains without a dot, and IP addresses in brackets.
  case rfcLike
}
