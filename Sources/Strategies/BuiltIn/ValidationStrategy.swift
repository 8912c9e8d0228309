/// Valid when the object's owner vouches for it; never invalid.
package struct ValidationStrategy<Subject: DeclaredValid>: Strategy {
  /// Creates the strategy.
  package init() {}

  /// `validation`.
  package var name: String { "validation" }

  /// Asks the subject.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    subject.isDeclaredValid ? .valid(.declaredValid) : .unknown(.notDeclared)
  }
}

extension AnyStrategy where Subject: DeclaredValid {
  /// Valid when the object's owner vouches for it.
  public static var validation: AnyStrategy { AnyStrategy(ValidationStrategy()) }
}
