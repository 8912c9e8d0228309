/// The limits of a JSON text, and the treatment of its oddities.
public struct JSONParsingOptions: Sendable, Hashable {
  /// The treatment of a duplicate name in an object.
  public enum DuplicateNames: String, Sendable, Hashable, CaseIterable {
    /// It is an error. Readers differ about which value counts, so a value could slip past a check (RFC 8259,
    /// section 4).
    case refuse
    /// The first value counts.
    case keepFirst
    /// The last value counts, at the position of the first.
    case keepLast
  }

  /// The maximum depth. Comparing, writing and releasing a value use stack for each level. At this depth they need
  /// less than the 512 KiB that some systems give a thread.
  public static let greatestDepth = 512

  /// The maximum nesting of lists and objects: 1 to ``greatestDepth``.
  public var depth: Int {
    didSet { depth = Self.clamp(depth) }
  }
  /// The maximum size of a text in bytes.
  public var bytes: Int
  /// The treatment of a duplicate name in an object.
  public var duplicateNames: DuplicateNames

  /// Creates options; a depth outside 1 to ``greatestDepth`` is clamped.
  public init(
    depth: Int = greatestDepth, bytes: Int = 1 << 30, duplicateNames: DuplicateNames = .refuse
  ) {
    self.depth = Self.clamp(depth)
    self.bytes = bytes
    self.duplicateNames = duplicateNames
  }

  private static func clamp(_ depth: Int) -> Int { min(max(depth, 1), greatestDepth) }
}

/// The lines of a text with one JSON value a line, in order and without the blank lines.
///
/// A line that is not JSON does not affect the other lines.
package struct JSONLines: Sequence, IteratorProtocol, Sendable {
  private var rest: ArraySlice<UInt8>
  private var number = 0
  private let options: JSONParsingOptions

  /// Creates the lines of a text; lines end with LF, or CR LF. Copies nothing.
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

/// One line of a text of JSON lines.
package struct JSONLine: Sendable {
  /// Its number, counted from 1, blank lines included.
  package let number: Int
  /// Its bytes, without the end of the line.
  package let bytes: ArraySlice<UInt8>
  let options: JSONParsingOptions

  /// The value on this line.
  ///
  /// - Throws: ``JSONSyntaxError``, whose position has this line's number and an offset inside the line.
  package func value() throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(bytes, options, firstLine: number)
    return try parser.document()
  }
}
