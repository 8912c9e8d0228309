/// A rule that is a type, so that a property declared with it keeps its rule when it is decoded.
///
/// The compiler's `init(from:)` knows only a property's type from its declaration.
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
  /// The type of the values it checks.
  associatedtype Value

  /// The rule.
  static var rule: Rule<Value> { get }

  /// The policy for an assigned value that breaks it, and in a ``Should`` for a decoded one; `nil`,
  /// the default, for the wrapper's own policy. A ``Must`` decodes no such value.
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
