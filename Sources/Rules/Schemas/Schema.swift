/// The rules of a model, field by field and as a whole, and the steps that normalise it.
///
/// Independent of the model's type: it needs nothing of that type, so it serves types of other
/// modules as well, and one type can have several. Checking never changes a model; normalising is a
/// separate step.
///
///     let schema = Schema<Article> {
///       Field(\Article.title, "title").trimmed().required().rule(.length(max: 200))
///       Field(\Article.author, "author").required(on: ["create"]).unsafe(in: ["update"])
///       Rule.fields(\Article.start, "start", .less, \Article.end, "end")
///     }
///
/// Fields and rules are asked in the order of their declaration. A field is *active* in a scenario
/// when it has a rule, a step or a mark there. The scenarios are those that some part names; any
/// other is unknown, and no model is valid in it.
public struct Schema<Model>: Sendable {
  /// The scenarios there are.
  public let scenarios: Set<Scenario>
  /// The names of the fields, in order.
  public let fieldNames: [String]

  let parts: [SchemaPart<Model>]
  let fields: [String: AnyField<Model>]

  /// Creates a schema; a field's name occurs once.
  ///
  /// - Parameter scenarios: Those that exist besides ``Scenario/default`` and the ones named by
  ///   parts.
  public init(
    scenarios: Set<Scenario> = [], @SchemaBuilder<Model> _ parts: () -> [SchemaPart<Model>]
  ) {
    let parts = parts()
    let fields = parts.compactMap { if case .field(let field) = $0.kind { field } else { nil } }
    let named = parts.flatMap { part in
      switch part.kind {
      case .field(let field): field.scopes.flatMap(\.named)
      case .rule(let rule): Array(rule.scope.named)
      }
    }
    self.parts = parts
    self.scenarios = scenarios.union(named).union([.default])
    self.fields = Dictionary(fields.map { ($0.name, $0) }) { first, _ in
      preconditionFailure("the field \(first.name) is declared twice")
    }
    fieldNames = fields.map(\.name)
  }

  /// The fields that rules, steps or marks concern in a scenario, in order.
  public func activeFields(in scenario: Scenario = .default) -> [String] {
    names(in: scenario) { $0.isActive(in: scenario) }
  }

  /// The active fields that mass assignment may write, in order.
  public func safeFields(in scenario: Scenario = .default) -> [String] {
    names(in: scenario) { $0.isSafe(in: scenario) }
  }

  /// The fields that must not be empty in a scenario, whatever the model, in order.
  public func requiredFields(in scenario: Scenario = .default) -> [String] {
    names(in: scenario) { $0.isRequired(in: scenario) }
  }

  private func names(
    in scenario: Scenario, _ isIncluded: (AnyField<Model>) -> Bool
  ) -> [String] {
    guard scenarios.contains(scenario) else { return [] }
    return fieldNames.filter { fields[$0].map(isIncluded) ?? false }
  }
}
