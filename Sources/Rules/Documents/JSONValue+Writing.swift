extension JSONValue {
  /// How JSON is laid out.
  public enum Layout: Sendable, Hashable {
    /// On one line, without a space.
    case compact
    /// On a line for each member and element, indented by two spaces.
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
