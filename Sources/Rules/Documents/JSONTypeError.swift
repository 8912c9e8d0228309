/// The error of reading a JSON value as another type.
public struct JSONTypeError: Error, Sendable, Hashable {
  /// The place in the value.
  public var path: IssuePath
  /// The expected type in words, such as `a whole number from 0 to 255`.
  public var expected: String
  /// The kind found.
  public var found: JSONKind

  /// Creates an error about the value itself.
  public init(expected: String, found: JSONValue) {
    path = .whole
    self.expected = expected
    self.found = found.kind
  }

  /// The same error, seen from the value that holds this one in `component`.
  public func inside(_ component: IssuePath.Component) -> JSONTypeError {
    var error = self
    error.path = path.inside(component)
    return error
  }
}

extension JSONTypeError: CustomStringConvertible {
  /// The place, the kind found and the expected type.
  public var description: String {
    let statement = "\(found.rawValue) where \(expected) should be"
    return path.components.isEmpty ? statement : "\(path): \(statement)"
  }
}
