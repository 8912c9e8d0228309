/// The error of a malformed JSON text: the problem, its place and the remedy.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The kinds of problems.
  public enum Problem: Sendable, Hashable {
    /// Nothing but white space.
    case empty
    /// The text ends before the expected part.
    case unexpectedEnd(expected: String)
    /// Something other than the expected part.
    case unexpected(found: String, expected: String)
    /// More after the value.
    case trailing(found: String)
    /// A number that JSON does not have, and the reason.
    case malformedNumber(String)
    /// A control character in a text, unescaped.
    case controlCharacter(UInt8)
    /// A backslash before something that it does not escape.
    case malformedEscape(String)
    /// Half of a UTF-16 surrogate pair, escaped.
    case loneSurrogate(String)
    /// Bytes that are not UTF-8.
    case notUTF8
    /// A byte order mark at the start.
    case byteOrderMark
    /// A name that its object already has.
    case duplicateName(String)
    /// Lists and objects nested deeper than allowed.
    case tooDeep(limit: Int)
    /// More bytes than allowed.
    case tooLong(count: Int, limit: Int)
  }

  /// The problem.
  public let problem: Problem
  /// The place.
  public let position: JSONPosition

  /// The problem in words, without the place.
  public var reason: String {
    switch problem {
    case .empty: "there is no value: even an empty document says null, {} or []"
    case .unexpectedEnd(let expected): "the text ends where \(expected) should come"
    case .unexpected(let found, let expected): "found \(found) where \(expected) should come"
    case .trailing(let found): "found \(found) after the end of the value: one text is one value"
    case .malformedNumber(let why): "a malformed number: \(why)"
    case .controlCharacter(let byte):
      "a control character in a text: write it as \\u00\(Self.hexadecimal(byte))"
    case .malformedEscape(let found):
      "\\\(found) is no escape: there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX"
    case .loneSurrogate(let found):
      "\\u\(found) is half of a surrogate pair: write both halves, or the character itself"
    case .notUTF8: "the bytes here are not UTF-8: JSON is written in nothing else"
    case .byteOrderMark: "a byte order mark: save the text as UTF-8 without one"
    case .duplicateName(let name): "the name \"\(name)\" occurs twice in one object: keep one"
    case .tooDeep(let limit): "lists and objects lie more than \(limit) deep: flatten them"
    case .tooLong(let count, let limit): "\(count) bytes are more than the \(limit) allowed"
    }
  }

  static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// The place and the problem.
  public var description: String { "\(position): \(reason)" }
}

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
