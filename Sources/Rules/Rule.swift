/// What a value must satisfy to be accepted.
///
/// A rule is pure and quick: it looks at the value and nothing else, and does not wait.
public struct Rule<Value>: Sendable {
  private let body: @Sendable (Value) -> Report

  /// Creates a rule that reports for itself, for the odd case.
  public init(_ body: @escaping @Sendable (Value) -> Report) {
    self.body = body
  }

  /// Creates a rule that values satisfying the predicate keep.
  public init(
    code: String, message: String, path: String? = nil,
    _ isSatisfied: @escaping @Sendable (Value) -> Bool
  ) {
    let broken = Report([Issue(path: path, code: code, message: message)])
    body = { isSatisfied($0) ? .valid : broken }
  }

  /// Tells every way in which the value breaks the rule.
  public func check(_ value: Value) -> Report {
    body(value)
  }
}
