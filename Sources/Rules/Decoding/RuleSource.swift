/// The source of a property's rule: the declaration's argument, or a type.
///
/// A ``Rule`` is a source, as in `@Must(.atLeast(0)) var amount = 0`; a ``RuleProvider`` is one that
/// survives decoding.
public protocol RuleSource<Value>: Sendable {
  /// The type of the values it checks.
  associatedtype Value

  /// The rule.
  var rule: Rule<Value> { get }
}

extension Rule: RuleSource {
  /// The rule itself.
  public var rule: Rule { self }
}
