/// One way in which a value breaks a rule.
public struct Issue: Sendable, Hashable {
  /// The place in the value.
  public var path: IssuePath
  /// A stable lower-case name for machines, such as `too-short`. Programs may rely on it, and not on the words.
  public var code: String
  /// The figures that belong to the code, such as `min`.
  public var parameters: [String: Parameter]
  /// The weight of the issue.
  public var severity: Severity
  /// The name of the rule that was broken, where it was given one.
  public var rule: String?
  /// Words that replace the catalogue's, with the same placeholders; `nil` for the catalogue's.
  public var wording: String?

  /// Creates an issue.
  public init(
    _ code: String, path: IssuePath = .whole, parameters: [String: Parameter] = [:],
    severity: Severity = .must, rule: String? = nil, wording: String? = nil
  ) {
    self.path = path
    self.code = code
    self.parameters = parameters
    self.severity = severity
    self.rule = rule
    self.wording = wording
  }

  /// The message for people, in the standard catalogue's words.
  public var message: String { MessageCatalogue.standard.message(for: self) }
}

extension Issue: CustomStringConvertible {
  /// The path, the message and the code, such as `address.city: must not be empty (empty)`.
  public var description: String {
    let statement = "\(message) (\(code))"
    return path.components.isEmpty ? statement : "\(path): \(statement)"
  }
}

/// The weight of an issue.
public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
  /// The value must not be accepted.
  case must
  /// The value may be accepted, unless the caller is strict.
  case should
}

/// The path from a value to one of its parts: fields by name, elements by index, counted from 0.
public struct IssuePath: Sendable, Hashable {
  /// One step of the path.
  public enum Component: Sendable, Hashable {
    /// Into a field, or a dictionary's value.
    case field(String)
    /// Into an element of a list.
    case index(Int)
  }

  /// The steps, outermost first; none for the value itself.
  public var components: [Component]

  /// Creates a path of these steps.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The value itself.
  public static let whole = IssuePath()

  /// This path, seen from the value that holds this one in `component`.
  public func inside(_ component: Component) -> IssuePath {
    IssuePath([component] + components)
  }

  func appending(_ component: Component) -> IssuePath { IssuePath(components + [component]) }
}

extension IssuePath: ExpressibleByStringLiteral {
  /// The path to the field of this name; a dot is part of the name.
  public init(stringLiteral name: String) {
    self.init([.field(name)])
  }
}

extension IssuePath: CustomStringConvertible {
  /// Names joined by dots and indexes in brackets, such as `orders[2].address.city`.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .field(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}

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
  /// The parameter for a reader; list items are separated by commas.
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

extension Parameter {
  /// A parameter for a value of any kind: a text, a number or a truth value as itself, any other value as its
  /// description.
  public static func of<Value>(_ value: Value) -> Parameter {
    switch value {
    case let text as String: .text(text)
    case let truth as Bool: .boolean(truth)
    case let integer as any BinaryInteger:
      Int(exactly: integer).map(Parameter.integer) ?? .text("\(value)")
    // Converted by its shortest text, because a direct conversion to a wider type would add digits.
    case let number as any BinaryFloatingPoint: .number(Double("\(number)") ?? Double(number))
    default: .text("\(value)")
    }
  }
}
