/// A rule that is a type, so that a property declared with it has its rule when it is decoded.
///
/// The compiler's `init(from:)` knows only the type of a property.
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

  /// The policy for an assigned value that breaks the rule, and in a ``Should`` for a decoded value. `nil`, the
  /// default, is the wrapper's own policy. A ``Must`` decodes no value that breaks its rule.
  static var policy: AssignmentPolicy? { get }

  /// Creates the source, which has no state.
  init()
}

extension RuleProvider {
  /// The type's rule.
  public var rule: Rule<Value> { Self.rule }

  /// The wrapper's own policy.
  public static var policy: AssignmentPolicy? { nil }
}

/// The source of a property's rule: the declaration's argument, or a type.
///
/// A ``Rule`` is a source, as in `@Must(.atLeast(0)) var amount = 0`. A ``RuleProvider`` is a source that survives
/// decoding.
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

/// The treatment of an assigned value that breaks the rule of the property.
public enum AssignmentPolicy: String, Sendable, Hashable, CaseIterable {
  /// It is rejected, and the property keeps its value: the default of ``Must``.
  case reject
  /// It is accepted, and the projected value says that it breaks the rule.
  case flag
  /// It is rejected, and the property becomes `nil`: the default of ``Should``. The same as ``reject`` in a
  /// ``Must``, which always has a value.
  case clear
}

/// The rule's verdict on a property's value: the projected value of ``Must`` and ``Should``.
public struct PropertyVerdict<Value> {
  /// The rule.
  public let rule: Rule<Value>
  /// The issues of the property's value.
  public let report: Report
  /// The value that the latest assignment or the decoding rejected; `nil` when the latest value was accepted.
  public let rejected: Rejection<Value>?

  /// True when the property's value may be used.
  public var isValid: Bool { report.isValid }
}

extension PropertyVerdict: Sendable where Value: Sendable {}

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
