/// One line of a text of JSON lines.
public struct JSONLine: Sendable {
  /// Its number, counted from 1, blank lines included.
  public let number: Int
  /// Its bytes, without the end of the line.
  public let bytes: ArraySlice<UInt8>
  let options: JSONParsingOptions

  /// The value on this line.
  ///
  /// - Throws: ``JSONSyntaxError``, whose position has this line's number, and an offset inside it.
  public func value() throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(bytes, options, firstLine: number)
    return try parser.document()
  }
}
