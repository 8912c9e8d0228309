extension Parameter {
  /// A parameter for a JSON value: lists as lists, objects and `null` as JSON text.
  static func of(_ json: JSONValue) -> Parameter {
    switch json {
    case .string(let text): .text(text)
    case .boolean(let truth): .boolean(truth)
    case .number(let number):
      number.integer(as: Int.self).map(Parameter.integer) ?? .text("\(number)")
    case .array(let items): .list(items.map(Parameter.of))
    case .null, .object: .text("\(json)")
    }
  }
}
