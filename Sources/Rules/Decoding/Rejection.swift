/// A value that was turned away, and why.
public struct Rejection<Value> {
  /// The value.
  public let value: Value
  /// What is wrong with it.
  public let report: Report

  @inlinable init(value: Value, report: Report) {
    self.value = value
    self.report = report
  }
}

extension Rejection: Sendable where Value: Sendable {}
