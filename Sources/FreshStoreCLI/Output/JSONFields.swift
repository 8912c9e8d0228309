#if CommandLine
  /// The fields of an object in JSON; one without a value is left out.
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

    /// One field.
    init(named name: String, _ value: any Encodable) { fields = [(name: name, value: value)] }

    /// A value of any bytes: as text, or encoded where it is none.
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
  }
#endif
