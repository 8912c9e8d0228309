extension JSONValue {
  /// Reads JSON (RFC 8259), strictly: one value, UTF-8, no comments, no trailing commas, no NaN.
  ///
  /// The cost is proportional to the size, and the stack used does not depend on the input.
  ///
  /// - Throws: ``JSONSyntaxError`` with the place and the remedy.
  public init(
    parsing bytes: [UInt8], _ options: JSONParsingOptions = JSONParsingOptions()
  ) throws(JSONSyntaxError) {
    var parser = JSONParser(bytes[...], options)
    self = try parser.document()
  }

  /// The same for a text.
  public init(
    parsing text: String, _ options: JSONParsingOptions = JSONParsingOptions()
  ) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8), options)
  }
}
