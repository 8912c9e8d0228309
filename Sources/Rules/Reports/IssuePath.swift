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
