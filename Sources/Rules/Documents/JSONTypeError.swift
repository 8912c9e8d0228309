/// A JSON value of another type than the one it is read as.
public struct JSONTypeError: Error, Sendable, Hashable {
  /// Where in the value.
  public var path: IssuePath
  /// What it should be, in words, such as `a whole number from 0 to 255`.
  public var expected: String
  /// What it is.
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
  /// Where, what it is, and what it should be.
  public var description: String {
    let statement = "\(found.rawValue) where \(expected) should be"
    return path.components.isEmpty ? statement : "\(path): \(statement)"
  }
}
