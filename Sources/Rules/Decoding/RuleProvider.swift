/// A rule that is a type, so that a property declared with it keeps its rule when it is decoded.
///
/// The compiler's `init(from:)` knows a property's type and nothing else of its declaration.
///
/// ```swift
/// struct NotNegative: RuleProvider {
///   static let rule: Rule<Int> = .atLeast(0)
/// }
///
/// struct Order: Codable {
///   @Must<NotNegative> var amount: Int
/// }
/// ```
public protocol RuleProvider<Value>: RuleSource {
  /// What the rule is about.
  associatedtype Value

  /// The rule.
  static var rule: Rule<Value> { get }

  /// What becomes of an assigned value that breaks it, and in a ``Should`` of a decoded one; `nil`,
  /// unless stated, for what the wrapper does by itself. A ``Must`` decodes no such value.
  static var policy: AssignmentPolicy? { get }

  /// Creates the source: it has no state.
  init()
}

extension RuleProvider {
  /// The type's rule.
  public var rule: Rule<Value> { Self.rule }

  /// The wrapper's own policy.
  public static var policy: AssignmentPolicy? { nil }
}
