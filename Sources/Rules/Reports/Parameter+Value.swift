extension Parameter {
  /// A parameter for a value of any kind: a text, a number or a truth value as such, anything else
  /// as its description.
  public static func of<Value>(_ value: Value) -> Parameter {
    switch value {
    case let text as String: .text(text)
    case let truth as Bool: .boolean(truth)
    case let integer as any BinaryInteger:
      Int(exactly: integer).map(Parameter.integer) ?? .text("\(value)")
    // By its shortest text: a direct conversion to a wider type would add digits.
    case let number as any BinaryFloatingPoint: .number(Double("\(number)") ?? Double(number))
    default: .text("\(value)")
    }
  }
}
