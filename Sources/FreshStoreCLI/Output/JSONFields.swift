#if CommandLine
  internal import Strategies

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The fields of an object in JSON. A field without a value is left out.
  struct JSONFields: Encodable, ExpressibleByDictionaryLiteral {
    private var fields: [(name: String, value: (any Encodable)?)]

    private struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(dictionaryLiteral fields: (String, (any Encodable)?)...) {
      self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// A value of any bytes: as text, or encoded when it is not UTF-8.
    init(value: [UInt8]) {
      let text = String(validating: value, as: UTF8.self)
      self = ["value": text, "valueBase64": text == nil ? Base64.encode(value) : nil]
    }

    /// The fields of both.
    static func + (left: JSONFields, right: JSONFields) -> JSONFields {
      var both = left
      both.fields += right.fields
      return both
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for case (let name, let value?) in fields {
        try container.encode(value, forKey: Name(stringValue: name))
      }
    }

    /// The object as JSON on one line, its fields sorted by name. The text is that of an encoder, in a tenth of the
    /// time.
    func text() throws -> String {
      var text = ""
      try write(to: &text)
      return text
    }

    private func write(to text: inout String) throws {
      text += "{"
      var isFirst = true
      let sorted = fields.sorted { $0.name < $1.name }
      for (place, field) in sorted.enumerated() {
        // Of two fields with the same name the later one counts.
        let isLast = place + 1 == sorted.count || sorted[place + 1].name != field.name
        guard let value = field.value, isLast else { continue }
        if !isFirst { text += "," }
        isFirst = false
        text += "\"\(field.name)\":"
        try Self.write(value, to: &text)
      }
      text += "}"
    }

    private static func write(_ value: any Encodable, to text: inout String) throws {
      switch value {
      case let value as String where isPlain(value): text += "\"\(value)\""
      case let value as Int: text += "\(value)"
      case let value as Bool: text += value ? "true" : "false"
      case let value as Double where value.isFinite:
        let number = "\(value)"
        text += number.hasSuffix(".0") ? String(number.dropLast(2)) : number
      case let value as JSONFields: try value.write(to: &text)
      case let values as [String]: try write(list: values, to: &text)
      case let values as [JSONFields]: try write(list: values, to: &text)
      default: text += try StandardOutput.encodedByEncoder(value)
      }
    }

    private static func write(list: [any Encodable], to text: inout String) throws {
      text += "["
      for (place, value) in list.enumerated() {
        if place > 0 { text += "," }
        try write(value, to: &text)
      }
      text += "]"
    }

    /// True for a text without a character that JSON escapes.
    private static func isPlain(_ text: String) -> Bool {
      text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
    }
  }

  /// An unknown value in JSON, when a missing field would mean something else.
  struct JSONNull: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }

  extension Duration {
    /// In seconds, to the millisecond.
    var inSeconds: Double { Double(wholeMilliseconds) / 1000 }

    /// In seconds, to the microsecond, for times below a millisecond.
    var inPreciseSeconds: Double { (self / .microseconds(1)).rounded() / 1_000_000 }
  }

  extension Expiry {
    /// A stable name of the case.
    var name: String {
      switch self {
      case .after: "after"
      case .never: "never"
      case .immediately: "immediately"
      case .unstated: "unstated"
      }
    }

    /// In seconds; `nil` when there is no such number.
    var inSeconds: Double? {
      switch self {
      case .after(let duration): duration.inSeconds
      case .immediately: 0
      case .never, .unstated: nil
      }
    }

    /// For people.
    var words: String {
      switch self {
      case .after(let duration): duration.brief
      default: name
      }
    }
  }

  /// Base64 text for bytes that are no text (RFC 4648 section 4).
  enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
  }
#endif
