/// One way in which a value breaks a rule.
public struct Issue: Sendable, Hashable {
  /// Where in the value: field names joined by dots; `nil` for the value as a whole.
  public let path: String?
  /// A stable lower-case name for machines, such as `not-empty`; never shown instead of the
  /// message.
  public let code: String
  /// What is wrong, for people.
  public let message: String

  /// Creates an issue.
  public init(path: String? = nil, code: String, message: String) {
    self.path = path
    self.code = code
    self.message = message
  }

  /// The same issue seen from the value that holds this one in the field `name`.
  func inside(_ name: String) -> Issue {
    Issue(path: path.map { "\(name).\($0)" } ?? name, code: code, message: message)
  }
}

extension Issue: CustomStringConvertible {
  /// The path, the message and the code, such as `address.city: must not be empty (not-empty)`.
  public var description: String {
    let statement = "\(message) (\(code))"
    return path.map { "\($0): \(statement)" } ?? statement
  }
}
