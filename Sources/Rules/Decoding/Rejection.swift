/// A rejected value, and the reason.
public struct Rejection<Value> {
  /// The value.
  public let value: Value
  /// The value's issues.
  public let report: Report

  @inlinable init(value: Value, report: Report) {
    self.value = value
    self.report = report
  }
}

extension Rejection: Sendable where Value: Sendable {}
