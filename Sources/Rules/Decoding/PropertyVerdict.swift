/// What the rule of a property says of its value: the projected value of ``Must`` and ``Should``.
public struct PropertyVerdict<Value> {
  /// The rule.
  public let rule: Rule<Value>
  /// What is wrong with the value the property has.
  public let report: Report
  /// The value that was turned away by the latest assignment or while decoding; `nil` when the
  /// latest was taken.
  public let rejected: Rejection<Value>?

  /// True when the property's value may be used.
  public var isValid: Bool { report.isValid }
}

extension PropertyVerdict: Sendable where Value: Sendable {}
