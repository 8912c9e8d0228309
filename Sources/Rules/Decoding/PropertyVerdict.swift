/// The rule's verdict on a property's value: the projected value of ``Must`` and ``Should``.
public struct PropertyVerdict<Value> {
  /// The rule.
  public let rule: Rule<Value>
  /// The issues of the property's value.
  public let report: Report
  /// The value rejected by the latest assignment or while decoding; `nil` when the latest was
  /// accepted.
  public let rejected: Rejection<Value>?

  /// True when the property's value may be used.
  public var isValid: Bool { report.isValid }
}

extension PropertyVerdict: Sendable where Value: Sendable {}
