/// The usual way to read any JSON with Foundation's decoder.
enum GenericJSON: Decodable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([GenericJSON])
  case object([String: GenericJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // A failed attempt is the decoder's way to say that the value is of another kind.
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([GenericJSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: GenericJSON].self))
    }
  }
}
