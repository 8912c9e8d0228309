/// Collects the parts of a schema from a list of statements.
@resultBuilder
public enum SchemaBuilder<Model> {
  /// A field.
  public static func buildExpression<Value>(_ field: Field<Model, Value>) -> [SchemaPart<Model>] {
    [SchemaPart(kind: .field(AnyField(field)))]
  }

  /// A rule about the model as a whole.
  public static func buildExpression(_ rule: ModelRule<Model>) -> [SchemaPart<Model>] {
    [SchemaPart(kind: .rule(rule))]
  }

  /// A rule about the model as a whole, in all scenarios.
  public static func buildExpression(_ rule: Rule<Model>) -> [SchemaPart<Model>] {
    buildExpression(ModelRule(rule))
  }

  /// All the statements.
  public static func buildBlock(_ parts: [SchemaPart<Model>]...) -> [SchemaPart<Model>] {
    parts.flatMap { $0 }
  }

  /// Statements that may be absent.
  public static func buildOptional(_ parts: [SchemaPart<Model>]?) -> [SchemaPart<Model>] {
    parts ?? []
  }

  /// One of two branches.
  public static func buildEither(first parts: [SchemaPart<Model>]) -> [SchemaPart<Model>] { parts }

  /// One of two branches.
  public static func buildEither(second parts: [SchemaPart<Model>]) -> [SchemaPart<Model>] { parts }

  /// Statements of a loop.
  public static func buildArray(_ parts: [[SchemaPart<Model>]]) -> [SchemaPart<Model>] {
    parts.flatMap { $0 }
  }
}

/// A field or a rule of a schema, in the order of its declaration.
public struct SchemaPart<Model>: Sendable {
  enum Kind: Sendable {
    case field(AnyField<Model>)
    case rule(ModelRule<Model>)
  }

  let kind: Kind
}

/// A rule of a schema about the model as a whole, such as one between two fields.
public struct ModelRule<Model>: Sendable {
  let rule: Rule<Model>
  let scope: Scope
  let fields: Set<String>
  let condition: (@Sendable (Model) -> Bool)?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - on: The scenarios in which it applies; all, when empty.
  ///   - except: The scenarios in which it does not apply, also when `on` names them.
  ///   - fields: The fields it is about. The rule is skipped when one of them has an issue already.
  ///   - condition: Whether it concerns this model; asked last.
  public init(
    _ rule: Rule<Model>, on: Set<Scenario> = [], except: Set<Scenario> = [],
    unlessIssuesIn fields: Set<String> = [], when condition: (@Sendable (Model) -> Bool)? = nil
  ) {
    self.rule = rule
    self.scope = Scope(on: on, except: except)
    self.fields = fields
    self.condition = condition
  }

  func apply(to model: Model, _ findings: inout Findings, from firstIssue: Int) -> Outcome {
    let failed = findings.issues.dropFirst(firstIssue).contains {
      if case .field(let name) = $0.path.components.first { fields.contains(name) } else { false }
    }
    if failed { return findings.skip("a field it is about has an issue") }
    if let condition, !condition(model) { return findings.skip("its condition does not hold") }
    return rule.apply(to: model, &findings)
  }
}

/// The name of a situation in which a model is checked, such as `create` or `update`.
public struct Scenario: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public let rawValue: String

  /// The scenario when none is given.
  public static let `default`: Scenario = "default"

  /// Creates a scenario of this name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a scenario of this name.
  public init(stringLiteral name: String) { self.init(rawValue: name) }
  /// The name.
  public var description: String { rawValue }
}

/// The scenarios in which something applies.
struct Scope: Sendable {
  /// Only these scenarios; all, when empty.
  let on: Set<Scenario>
  /// Never these scenarios, also when ``on`` has them.
  let except: Set<Scenario>

  func includes(_ scenario: Scenario) -> Bool {
    !except.contains(scenario) && (on.isEmpty || on.contains(scenario))
  }

  var named: Set<Scenario> { on.union(except) }
}
