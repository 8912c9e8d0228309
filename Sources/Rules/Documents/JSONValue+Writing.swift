extension JSONValue {
  /// The layout of JSON text.
  public enum Layout: Sendable, Hashable {
    /// On one line, without spaces.
    case compact
    /// One line for each member and element, indented by two spaces.
    case pretty
  }

  /// The value as JSON text; members in their order, numbers as they were read.
  public func text(_ layout: Layout = .compact) -> String {
    var writer = JSONWriter(layout: layout)
    writer.write(self)
    return writer.text
  }

  /// The value as JSON in UTF-8.
  public func bytes(_ layout: Layout = .compact) -> [UInt8] { Array(text(layout).utf8) }
}
