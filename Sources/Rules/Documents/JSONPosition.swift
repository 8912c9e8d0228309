/// A place in a JSON text.
public struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
  /// The number of bytes before it.
  public let offset: Int
  /// The line, counted from 1; lines end with LF, CR or both.
  public let line: Int
  /// The column, counted from 1 in Unicode scalars.
  public let column: Int

  /// Line and column in words.
  public var description: String { "line \(line), column \(column)" }

  /// Finds the place after so many bytes, in linear time.
  init(offset: Int, in bytes: ArraySlice<UInt8>, firstLine: Int) {
    var (line, column) = (firstLine, 1)
    var last: UInt8 = 0
    for byte in bytes.prefix(offset) {
      switch byte {
      case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (line, column) = (line + 1, 1)
      case 0x80...0xBF: break
      default: column += 1
      }
      last = byte
    }
    self.offset = offset
    self.line = line
    self.column = column
  }
}
