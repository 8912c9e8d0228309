/// A field of a form: its name, its rules, and its dependants.
///
/// ```swift
/// FormField(\.password, "password", .length(min: 8), dependants: ["repeated"])
/// FormField(\.nick, "nick", .notBlank, asking: nickIsFree) { $0.lowercased() }
/// ```
public struct FormField<Model>: Sendable {
  /// The first component of its issues' paths.
  public let name: String
  /// The names of the fields whose validity depends on this one's value.
  public let dependants: [String]

  let keyPath: any PartialKeyPath<Model> & Sendable
  let rule: Rule<Model>
  let asking: AsyncRule<Model>?
  let normalize: (@Sendable (inout Model) -> Void)?

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - rule: The synchronous rule. Where it is broken, `asking` is not asked.
  ///   - asking: The asynchronous rule.
  ///   - normalize: Changes a value that is set before it is validated, by trimming it, for
  ///     example. It is part of the assignment and must not use the form.
  public init<Value>(
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable, _ name: String,
    _ rule: Rule<Value> = .pass, asking: AsyncRule<Value>? = nil, dependants: [String] = [],
    normalize: (@Sendable (Value) -> Value)? = nil
  ) {
    self.name = name
    self.dependants = dependants
    self.keyPath = keyPath
    self.rule = .field(keyPath, name, rule)
    self.asking = asking.map { AsyncRule.field(keyPath, name, $0) }
    guard let normalize else {
      self.normalize = nil
      return
    }
    self.normalize = { model in model[keyPath: keyPath] = normalize(model[keyPath: keyPath]) }
  }

  /// Creates a field of optional type: its rules concern the value only, so that `nil` is valid. To
  /// demand a value, use ``Rule/required``.
  public init<Value>(
    _ keyPath: any WritableKeyPath<Model, Value?> & Sendable, _ name: String,
    _ rule: Rule<Value>, asking: AsyncRule<Value?>? = nil, dependants: [String] = [],
    normalize: (@Sendable (Value?) -> Value?)? = nil
  ) {
    self.init(
      keyPath, name, rule.ifPresent, asking: asking, dependants: dependants, normalize: normalize)
  }
}
