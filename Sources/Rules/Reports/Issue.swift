/// One way in which a value breaks a rule.
public struct Issue: Sendable, Hashable {
  /// The place in the value.
  public var path: IssuePath
  /// A stable lower-case name for machines, such as `too-short`: the contract. The words are not.
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
