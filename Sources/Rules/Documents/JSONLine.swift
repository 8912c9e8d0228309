/// One line of a text of JSON lines.
package struct JSONLine: Sendable {
  /// Its number, counted from 1, blank lines included.
  package let number: Int
  /// Its bytes, without the end of the line.
  package let bytes: ArraySlice<UInt8>
  let options: JSONParsingOptions

  /// The value on this line.
  ///
  /// - Throws: ``JSONSyntaxError``, whose position has this line's number, and an offset inside it.
  package func value() throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(bytes, options, firstLine: number)
    return try parser.document()
  }
}
