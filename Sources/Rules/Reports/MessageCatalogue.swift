/// The words for issues: a template for each code, for one language.
///
/// A template's placeholders, such as `{min}`, name an issue's parameters, and `{path}` its path. They are filled
/// in one pass. Inserted text is not examined again, so a value that looks like a placeholder stays as it is. A
/// placeholder without a parameter stays, too.
public struct MessageCatalogue: Sendable, Hashable {
  /// The templates by code.
  public var templates: [String: String]
  /// The template for codes without one.
  public var fallback: String

  /// Creates a catalogue.
  public init(templates: [String: String], fallback: String = "breaks the rule {code}") {
    self.templates = templates
    self.fallback = fallback
  }

  /// This catalogue with some templates replaced.
  public func replacing(_ templates: [String: String]) -> MessageCatalogue {
    var catalogue = self
    catalogue.templates.merge(templates) { _, new in new }
    return catalogue
  }

  /// The words for an issue: its own words, else this catalogue's. A template that fills to nothing is skipped,
  /// because an issue without words helps nobody.
  public func message(for issue: Issue) -> String {
    for template in [issue.wording, templates[issue.code]] {
      let words = template.map { fill($0, of: issue) } ?? ""
      if !words.isEmpty { return words }
    }
    return fill(fallback, of: issue)
  }

  private func fill(_ template: String, of issue: Issue) -> String {
    Self.fill(template) { name in
      switch name {
      case "path": issue.path.description
      case "code": issue.code
      default: issue.parameters[name]?.description
      }
    }
  }

  private static func fill(_ template: String, _ value: (String) -> String?) -> String {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      text += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}") else { break }
      let name = String(rest[rest.index(after: open)..<close])
      guard let filled = value(name) else {
        // This is no placeholder. The brace is text, and a placeholder may begin after it.
        text += "{"
        rest = rest.dropFirst()
        continue
      }
      text += filled
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// Plain English, for the codes of this module.
  public static let standard = MessageCatalogue(templates: [
    "all-forbidden": "must not be only of {forbidden}",
    "already-known": "is already known in {place}",
    "blank": "must not be blank",
    "differs-from": "must be the same as {other}",
    "does-not-contain": "must contain {part}",
    "empty": "must not be empty",
    "equal": "must not be {forbidden}",
    "file-too-big": "must have at most {max} bytes",
    "file-too-small": "must have at least {min} bytes",
    "forbidden": "must not be one of {forbidden}",
    "forbidden-match": "must not match the pattern {pattern}",
    "hidden-character": "must not contain hidden characters",
    "less-than": "must be at least {other}",
    "more-than": "must be at most {other}",
    "must-not": "must not be so",
    "negative": "must not be negative",
    "no-digit": "must contain a digit",
    "no-lowercase": "must contain a lower-case letter",
    "no-match": "must match the pattern {pattern}",
    "no-special-character": "must contain a special character",
    "no-uppercase": "must contain an upper-case letter",
    "none-allowed": "must have one of {allowed}",
    "none-of-fields": "must have one of {fields}",
    "none-of-no-rules": "no rule allows any value",
    "not-a-card-number": "must be a card number ({types})",
    "not-a-domain-name": "must be a domain name",
    "not-a-multiple": "must be a multiple of {step}",
    "not-a-number": "must be a number",
    "not-a-phone-number": "must be a telephone number such as +3225550100",
    "not-a-postal-code": "must be a postal code of {country}",
    "not-a-time": "must be a date or time ({form})",
    "not-a-url": "must be a URL",
    "not-a-uuid": "must be a UUID",
    "not-allowed": "must be one of {allowed}",
    "not-an-email": "must be an e-mail address",
    "not-an-iban": "must be an IBAN",
    "not-an-integer": "must be a whole number",
    "not-an-ip-address": "must be an IP address ({version})",
    "not-an-ip-network": "must be an IP network ({version})",
    "not-assignable": "cannot be assigned ({reason})",
    "not-blank": "must be blank",
    "not-boolean": "must be {true} or {false}",
    "not-comparable": "cannot be compared with {other}",
    "not-empty": "must be empty",
    "not-equal": "must be {expected}",
    "not-false": "must be false",
    "not-finite": "must be finite",
    "not-greater": "must be greater than {bound}",
    "not-json": "must be JSON, but at line {line}, column {column}: {reason}",
    "not-less": "must be less than {bound}",
    "not-less-than": "must be less than {other}",
    "not-more-than": "must be more than {other}",
    "not-negative": "must be negative",
    "not-one-of-fields": "must have exactly one of {fields}",
    "not-only-ascii": "must be of ASCII characters only",
    "not-only-digits": "must be of digits only",
    "not-only-letters": "must be of letters A to Z only",
    "not-only-letters-and-digits": "must be of letters A to Z and digits only",
    "not-positive": "must be positive",
    "not-representable": "must fit in {type}",
    "not-true": "must be true",
    "not-utf8": "must be UTF-8",
    "remote": "was refused by the server",
    "remote-unanswered": "could not be checked by the server: {reason}",
    "repeated": "must not occur twice",
    "required": "must be there",
    "same-as": "must differ from {other}",
    "several-lines": "must be of one line",
    "several-of-fields": "must have at most one of {fields}",
    "some-of-fields": "must have all of {fields} or none",
    "too-big": "must be at most {max}",
    "too-few": "must have at least {min} elements",
    "too-long": "must be at most {max} long ({unit})",
    "too-long-to-match": "must have at most {max} bytes to be matched",
    "too-many": "must have at most {max} elements",
    "too-precise": "must have at most {max} places behind the point",
    "too-short": "must be at least {min} long ({unit})",
    "too-small": "must be at least {min}",
    "unknown": "is not known in {place}",
    "unknown-domain": "must have a domain that receives mail",
    "unknown-field": "is not a known field",
    "unknown-scenario": "cannot be checked in the unknown scenario {scenario}",
    "unreadable": "cannot be read: {detail}",
    "wrong-beginning": "must begin with {prefix}",
    "wrong-check-digit": "must have the right check digit",
    "wrong-end": "must end with {suffix}",
    "wrong-file-type": "must be a file of the type {types}",
    "wrong-length": "must be {length} long ({unit})",
    "wrong-relation": "must be {relation} {bound}",
    "wrong-type": "must be {expected}, not {found}",
  ])
}
