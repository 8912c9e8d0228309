/// A figure or a text that belongs to an issue, such as the limit that was missed.
public enum Parameter: Sendable, Hashable {
  /// A text.
  case text(String)
  /// A whole number.
  case integer(Int)
  /// A number.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// Several of them.
  case list([Parameter])
}

extension Parameter: CustomStringConvertible {
  /// As a reader would write it; list items are separated by commas.
  public var description: String {
    switch self {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .number(let number): String(number)
    case .boolean(let boolean): String(boolean)
    case .list(let items): items.map(\.description).joined(separator: ", ")
    }
  }
}

extension Parameter: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  /// Creates a parameter that is a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a parameter that is an integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Creates a parameter that is a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a parameter that is a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates a parameter that is a list.
  public init(arrayLiteral elements: Parameter...) { self = .list(elements) }
}
