/// A JSON document, or a part of one (RFC 8259).
///
/// Values compare by content: `1`, `1.0` and `1e0` are one number, and the order of an object's keys does not
/// count. Notation and order are preserved and written back as read.
public enum JSONValue: Sendable, Hashable {
  /// An explicit null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number, exact.
  case number(JSONNumber)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members by name, in order.
  case object(JSONObject)

  /// The kind of this value; a whole number is an ``JSONKind/integer``.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .number(let number): number.isInteger ? .integer : .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// True for `null`, the empty text, the empty list and the object without members. White space,
  /// zero and `false` are not empty.
  public var isEmpty: Bool {
    switch self {
    case .null: true
    case .boolean, .number: false
    case .string(let text): text.isEmpty
    case .array(let items): items.isEmpty
    case .object(let object): object.isEmpty
    }
  }

  /// The member of this name; `nil` unless this is an object with such a member.
  public subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The element at this index, counted from 0; `nil` unless this is a list that is long enough.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let items) = self, items.indices.contains(index) { items[index] } else { nil }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { text() }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  /// Creates a number; a literal too big for `Double` is a programming error.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object; a repeated key is a programming error, and its last value stays.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

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

  /// The layout of JSON text.
  public enum Layout: Sendable, Hashable {
    /// On one line, without spaces.
    case compact
    /// One line for each member and element, indented by two spaces.
    case pretty
  }

  /// The value as JSON text; members in their order, numbers as they were read.
  public func text(_ layout: Layout = .compact) -> String {
    var writer = JSONWriter(layout: layout)
    writer.write(self)
    return writer.text
  }

  /// The value as JSON in UTF-8.
  public func bytes(_ layout: Layout = .compact) -> [UInt8] { Array(text(layout).utf8) }
}

/// The kinds of JSON values.
public enum JSONKind: String, Sendable, Hashable, Codable, CaseIterable {
  case null
  case boolean
  case integer
  case number
  case string
  case array
  case object

  /// True when a value of the other kind is also of this kind: an integer is a number.
  public func includes(_ other: JSONKind) -> Bool {
    self == other || (self == .number && other == .integer)
  }
}

/// Writes JSON text without recursion, so that depth costs no stack.
struct JSONWriter {
  /// A list or an object whose end is not written yet.
  private struct OpenContainer {
    var items: ArraySlice<JSONValue> = []
    var members: ArraySlice<JSONObject.Member> = []
    let end: String
    var isFirst = true
  }

  let layout: JSONValue.Layout
  private(set) var text = ""
  private var open: [OpenContainer] = []

  init(layout: JSONValue.Layout) {
    self.layout = layout
  }

  mutating func write(_ value: JSONValue) {
    begin(value)
    while let last = open.indices.last {
      if let item = open[last].items.popFirst() {
        separate(in: last)
        begin(item)
      } else if let member = open[last].members.popFirst() {
        separate(in: last)
        write(member.name)
        text += layout == .pretty ? ": " : ":"
        begin(member.value)
      } else {
        let container = open.removeLast()
        if !container.isFirst { breakLine() }
        text += container.end
      }
    }
  }

  private mutating func begin(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .boolean(let truth): text += truth ? "true" : "false"
    case .number(let number): text += number.description
    case .string(let string): write(string)
    case .array(let items):
      text += "["
      open.append(OpenContainer(items: items[...], end: "]"))
    case .object(let object):
      text += "{"
      open.append(OpenContainer(members: object.members[...], end: "}"))
    }
  }

  private mutating func separate(in container: Int) {
    if !open[container].isFirst { text += "," }
    open[container].isFirst = false
    breakLine()
  }

  private mutating func breakLine() {
    if layout == .pretty { text += "\n" + String(repeating: "  ", count: open.count) }
  }

  private mutating func write(_ string: String) {
    text += "\""
    // Few texts need an escape, and a text without one is appended whole.
    if string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
      for scalar in string.unicodeScalars { write(scalar) }
    } else {
      text += string
    }
    text += "\""
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\u{0}"..."\u{1F}": text += "\\u00" + JSONSyntaxError.hexadecimal(UInt8(scalar.value))
    default: text.unicodeScalars.append(scalar)
    }
  }
}
