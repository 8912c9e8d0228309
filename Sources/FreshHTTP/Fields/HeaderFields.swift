/// The header fields of one message: name and value lines in the order they came, names compared
/// without regard to case (RFC 9110 section 5.1).
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field line.
  package struct Line: Sendable, Hashable {
    /// The name as it was written.
    package let name: String
    /// The value, without the white space around it (RFC 9110 section 5.5).
    package let value: String

    /// Creates a line; trims the white space around the value.
    package init(name: String, value: String) {
      self.name = name
      self.value = FieldSyntax.trimmed(value)
    }
  }

  /// Every line, in order.
  package private(set) var lines: [Line] = []

  /// No fields.
  public init() {}

  /// Creates fields from lines.
  package init(_ lines: some Sequence<Line>) {
    self.lines = Array(lines)
  }

  /// Creates fields from names and values; a name may come more than once.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Line(name: $0.0, value: $0.1) })
  }

  /// The value of the first line of that name, for fields that may come only once.
  package func first(_ name: String) -> String? {
    lines.first { FieldSyntax.equalIgnoringCase($0.name, name) }?.value
  }

  /// Every value of that name as one list, joined by a comma and a space (RFC 9110 section 5.3);
  /// `nil` when there is no such line.
  package func combined(_ name: String) -> String? {
    var combined: String?
    for line in lines where FieldSyntax.equalIgnoringCase(line.name, name) {
      if combined == nil {
        combined = line.value
      } else {
        combined?.append(", \(line.value)")
      }
    }
    return combined
  }

  /// Every value of that name, joined by a comma and a space (RFC 9110 section 5.3); `nil` when there
  /// is no such line.
  public subscript(name: String) -> String? { combined(name) }

  /// The lines whose names, in lower case, are not among these.
  package func removing(_ names: Set<String>) -> HeaderFields {
    HeaderFields(lines.filter { !names.contains(FieldSyntax.lowercased($0.name)) })
  }

  /// Every value of that name, line by line.
  package func values(_ name: String) -> [String] {
    lines.compactMap { FieldSyntax.equalIgnoringCase($0.name, name) ? $0.value : nil }
  }

  /// Adds a line at the end.
  public mutating func append(_ name: String, _ value: String) {
    lines.append(Line(name: name, value: value))
  }

  /// Replaces every line of that name by one; `nil` removes them.
  public mutating func set(_ name: String, _ value: String?) {
    lines.removeAll { FieldSyntax.equalIgnoringCase($0.name, name) }
    if let value {
      append(name, value)
    }
  }
}
