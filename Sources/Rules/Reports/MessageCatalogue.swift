/// The words for issues: a template for each code, for one language.
///
/// A template's placeholders, such as `{min}`, name an issue's parameters, and `{path}` its path.
/// They are filled in one pass: inserted text is not examined again, so a value that looks like a
/// placeholder stays as it is. A placeholder without a parameter stays, too.
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

  /// The words for an issue: its own where it has them, else this catalogue's. A template that
  /// fills to nothing is skipped for the next: an issue without words helps nobody.
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
        // Not a placeholder: the brace is text, and the next one may begin inside.
        text += "{"
        rest = rest.dropFirst()
        continue
      }
      text += filled
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
