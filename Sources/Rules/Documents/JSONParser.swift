/// Reads one JSON text, strictly (RFC 8259), in one pass and without recursion.
///
/// Avoids recursion so that no input controls the stack use.
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

  /// Reads a value, or the beginning of a non-empty list or object: then `nil`.
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
