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
