internal import FreshHTTP

/// The fields of a message over HTTP/2 that its library cannot hand on: it takes and gives text alone, and in a value
/// with bytes that are no UTF-8, which RFC 9110 section 5.5 allows (`obs-text`), those have become U+FFFD. Over HTTP/1 they
/// come and go as they are (`FieldText`).
///
/// Changed values are never passed on: two entity tags, or two cookies, could be one by now.
enum UndecodedFields {
  /// The lines without such values, but for those that the message must not be without: it would be free of a
  /// restriction. Of `Content-Disposition` the type stays.
  static func removed(from fields: HeaderFields) -> HeaderFields {
    guard fields.lines.contains(where: { isUndecoded($0.value) }) else { return fields }
    return HeaderFields(fields.lines.compactMap(decoded))
  }

  /// True where such a line has the name.
  static func contain(_ name: String, in fields: HeaderFields) -> Bool {
    fields.values(name).contains(where: isUndecoded)
  }

  private static func decoded(_ line: HeaderFields.Line) -> HeaderFields.Line? {
    guard isUndecoded(line.value) else { return line }
    let name = FieldSyntax.lowercased(line.name)
    if name.hasSuffix("-control") || restricting.contains(name) { return line }
    guard name == "content-disposition" else { return nil }
    let type = FieldSyntax.trimmed(line.value.prefix { $0 != ";" })
    return FieldSyntax.isToken(type) ? HeaderFields.Line(name: line.name, value: type) : nil
  }

  static func isUndecoded(_ value: String) -> Bool {
    value.utf8.contains(0xEF) && value.unicodeScalars.contains("\u{FFFD}")
  }

  /// Beside `Cache-Control` and its like: whom the message answers, how long, how its content is read, and what a
  /// browser must not do with it.
  private static let restricting: Set = [
    "age", "content-encoding", "content-security-policy", "content-type", "date", "expires",
    "pragma", "vary", "x-content-type-options", "x-frame-options",
  ]
}
