/// Reads one JSON text, strictly (RFC 8259), in one pass.
///
/// It avoids recursion, so that no input controls the use of the stack.
struct JSONParser {
  /// A list or an object whose end has not been read.
  private struct OpenContainer {
    var items: [JSONValue] = []
    var object = JSONObject()
    /// The name whose value comes next; `nil` in a list.
    var name: String?
    var isDuplicate = false
  }

  let bytes: ArraySlice<UInt8>
  let options: JSONParsingOptions
  let firstLine: Int
  var index: Int
  private var open: [OpenContainer] = []

  init(_ bytes: ArraySlice<UInt8>, _ options: JSONParsingOptions, firstLine: Int = 1) {
    self.bytes = bytes
    self.options = options
    self.firstLine = firstLine
    index = bytes.startIndex
  }

  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    guard bytes.count <= options.bytes else {
      throw error(.tooLong(count: bytes.count, limit: options.bytes))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(.byteOrderMark) }
    skipSpace()
    if index == bytes.endIndex { throw error(.empty) }
    while true {
      guard var value = try beginValue() else { continue }
      while true {
        guard !open.isEmpty else { return try finished(value) }
        add(value)
        if try continues() { break }
        value = close()
      }
    }
  }

  func error(_ problem: JSONSyntaxError.Problem, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(
      problem: problem,
      position: JSONPosition(
        offset: (offset ?? index) - bytes.startIndex, in: bytes, firstLine: firstLine))
  }

  mutating func skipSpace() {
    while index < bytes.endIndex {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }

  /// The error for a token that is not the expected one.
  func unexpected(_ expected: String) -> JSONSyntaxError {
    guard index < bytes.endIndex else { return error(.unexpectedEnd(expected: expected)) }
    return error(.unexpected(found: found, expected: expected))
  }

  private var found: String {
    switch bytes[index] {
    case UInt8(ascii: "'"): "a single quote (texts stand in double quotes)"
    case UInt8(ascii: "/"), UInt8(ascii: "#"): "\(ascii) (there are no comments)"
    case 0x21...0x7E: ascii
    default: "the byte 0x\(JSONSyntaxError.hexadecimal(bytes[index]))"
    }
  }

  private var ascii: String { "'\(Character(Unicode.Scalar(bytes[index])))'" }

  private func finished(_ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    var rest = self
    rest.skipSpace()
    guard rest.index == bytes.endIndex else { throw rest.error(.trailing(found: rest.found)) }
    return value
  }

  /// Reads a value; `nil` after the beginning of a list or an object that is not empty.
  private mutating func beginValue() throws(JSONSyntaxError) -> JSONValue? {
    skipSpace()
    guard index < bytes.endIndex else { throw unexpected("a value") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try begin("}", .object(JSONObject()))
    case UInt8(ascii: "["): return try begin("]", .array([]))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "N"), UInt8(ascii: "I"):
      return .number(try number())
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      throw unexpected("a value (there is no comma after the last)")
    default: throw unexpected("a value")
    }
  }

  private mutating func begin(
    _ end: Unicode.Scalar, _ empty: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue? {
    if open.count == options.depth { throw error(.tooDeep(limit: options.depth)) }
    index += 1
    skipSpace()
    if index < bytes.endIndex, bytes[index] == UInt8(ascii: end) {
      index += 1
      return empty
    }
    open.append(OpenContainer())
    if case .object = empty { try name() }
    return nil
  }

  private mutating func name() throws(JSONSyntaxError) {
    skipSpace()
    let start = index
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") else {
      throw unexpected("a name in double quotes")
    }
    let name = try string()
    let last = open.count - 1
    open[last].isDuplicate = open[last].object[name] != nil
    if open[last].isDuplicate, options.duplicateNames == .refuse {
      throw error(.duplicateName(name), at: start)
    }
    open[last].name = name
    skipSpace()
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: ":") else {
      throw unexpected("a colon")
    }
    index += 1
  }

  private mutating func add(_ value: JSONValue) {
    let last = open.count - 1
    guard let name = open[last].name else { return open[last].items.append(value) }
    if open[last].isDuplicate, options.duplicateNames == .keepFirst { return }
    open[last].object[name] = value
  }

  /// True when another value follows in the innermost container, false when it ends here.
  private mutating func continues() throws(JSONSyntaxError) -> Bool {
    skipSpace()
    let isObject = open[open.count - 1].name != nil
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard index < bytes.endIndex, bytes[index] == end || bytes[index] == UInt8(ascii: ",") else {
      throw unexpected(isObject ? "a comma or '}'" : "a comma or ']'")
    }
    index += 1
    if bytes[index - 1] == end { return false }
    if isObject { try name() }
    return true
  }

  private mutating func close() -> JSONValue {
    let container = open.removeLast()
    return container.name == nil ? .array(container.items) : .object(container.object)
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for byte in "\(word)".utf8 {
      guard index < bytes.endIndex, bytes[index] == byte else { throw unexpected("\(word)") }
      index += 1
    }
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
    var scanner = NumberScanner(bytes: bytes, index: index)
    let start = index
    let problem = scanner.scan()
    index = scanner.index
    if let problem { throw error(.malformedNumber(problem)) }
    return JSONNumber(wellFormed: String(decoding: bytes[start..<index], as: UTF8.self))
  }
}

extension JSONParser {
  /// Reads a text, from its opening quote past its closing one.
  mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    var text = try plain()
    while true {
      guard index < bytes.endIndex else { throw unexpected("a closing quote") }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return text
      case UInt8(ascii: "\\"):
        text.unicodeScalars.append(try escape())
        text += try plain()
      default: throw error(.controlCharacter(bytes[index]))
      }
    }
  }

  /// Reads up to a quote, a backslash or a control character.
  private mutating func plain() throws(JSONSyntaxError) -> String {
    let start = index
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      index += 1
    }
    if let text = String(validating: bytes[start..<index], as: UTF8.self) { return text }
    throw error(.notUTF8, at: UTF8Text.firstIllFormed(in: bytes[start..<index]))
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard index < bytes.endIndex else { throw unexpected("an escape") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar(from: start)
    default:
      let found = (0x20...0x7E).contains(byte) ? String(Character(Unicode.Scalar(byte))) : ""
      throw error(.malformedEscape(found), at: start)
    }
  }

  /// Reads the digits after `\u`, and the second escape of a surrogate pair.
  private mutating func scalar(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let text = String(first, radix: 16, uppercase: true)
    guard UTF16.isLeadSurrogate(first), bytes[index...].starts(with: [0x5C, 0x75]) else {
      throw error(.loneSurrogate(text), at: start)
    }
    let secondStart = index
    index += 2
    let second = try codeUnit(from: secondStart)
    guard UTF16.isTrailSurrogate(second) else { throw error(.loneSurrogate(text), at: start) }
    return UTF16.decode(.init([first, second]))
  }

  private mutating func codeUnit(from start: Int) throws(JSONSyntaxError) -> UInt16 {
    let digits = bytes[index...].prefix(4)
    let isHexadecimal = digits.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
    guard digits.count == 4, isHexadecimal,
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error(.malformedEscape("u"), at: start) }
    index += 4
    return unit
  }
}
