/// A text of many JSON values, one a line: the lines, in order, without the blank ones.
///
/// A line that is not JSON fails alone and does not affect the others.
package struct JSONLines: Sequence, IteratorProtocol, Sendable {
  private var rest: ArraySlice<UInt8>
  private var number = 0
  private let options: JSONParsingOptions

  /// Creates the lines of a text; lines end with LF, or CR LF. Nothing is copied.
  package init(_ bytes: [UInt8], _ options: JSONParsingOptions = JSONParsingOptions()) {
    rest = bytes[...]
    self.options = options
  }

  /// The next line that is not blank.
  package mutating func next() -> JSONLine? {
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[end...].dropFirst()
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      number += 1
      let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      if !isBlank { return JSONLine(number: number, bytes: line, options: options) }
    }
    return nil
  }
}
