/// Valid when the object's owner vouches for it; never invalid.
public struct ValidationStrategy<Subject: DeclaredValid>: Strategy {
  /// Creates the strategy.
  public init() {}

  /// `validation`.
  public var name: String { "validation" }

  /// Asks the subject.
  public func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    subject.isDeclaredValid ? .valid(.declaredValid) : .unknown(.notDeclared)
  }
}

extension AnyStrategy where Subject: DeclaredValid {
  /// Valid when the object's owner vouches for it.
  public static var validation: AnyStrategy { AnyStrategy(ValidationStrategy()) }
}
