/// Writes JSON text without recursion, so that depth costs no stack.
struct JSONWriter {
  /// A list or an object that is not written to its end.
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
    // Almost no text needs an escape, and a long one is then appended whole.
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
