/// The rules and filters of a program that schemas may name.
public struct SchemaVocabulary: Sendable {
  /// The rules by name, for the key `rule`.
  public var rules: [String: Rule<JSONValue>]
  /// The filters by name, for the key `filter`: each transforms a field's value.
  public var filters: [String: @Sendable (JSONValue) -> JSONValue]

  /// Creates a vocabulary; `lowercase`, `uppercase` and `collapseSpaces` are filters of every one.
  public init(
    rules: [String: Rule<JSONValue>] = [:],
    filters: [String: @Sendable (JSONValue) -> JSONValue] = [:]
  ) {
    self.rules = rules
    self.filters = Self.standardFilters.merging(filters) { _, own in own }
  }

  private static let standardFilters: [String: @Sendable (JSONValue) -> JSONValue] = [
    "lowercase": { changing($0) { $0.lowercased() } },
    "uppercase": { changing($0) { $0.uppercased() } },
    "collapseSpaces": {
      changing($0) { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    },
  ]

  private static func changing(_ json: JSONValue, _ change: (String) -> String) -> JSONValue {
    if case .string(let text) = json { .string(change(text)) } else { json }
  }
}
