/// A field or a rule of a schema, in the order of its declaration.
public struct SchemaPart<Model>: Sendable {
  enum Kind: Sendable {
    case field(AnyField<Model>)
    case rule(ModelRule<Model>)
  }

  let kind: Kind
}
