/// A rule that was not applied, or is undecided.
public struct Omission: Sendable, Hashable {
  /// Why there is no verdict.
  public enum Kind: String, Sendable, Hashable {
    /// The rule does not concern this value: it is absent, or a condition does not hold.
    case skipped
    /// The rule concerns the value, but is undecided.
    case undecided
  }

  /// The place in the value.
  public var path: IssuePath
  /// Why there is no verdict.
  public var kind: Kind
  /// The same in words.
  public var reason: String
  /// The name of the rule, where it was given one.
  public var rule: String?

  /// Creates an omission.
  public init(
    _ kind: Kind, _ reason: String, path: IssuePath = .whole, rule: String? = nil
  ) {
    self.path = path
    self.kind = kind
    self.reason = reason
    self.rule = rule
  }
}
