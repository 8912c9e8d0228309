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

extension Strategy {
  /// Valid when the object's owner vouches for it.
  public static func validation<Object: DeclaredValid>() -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(ValidationStrategy())
  }
}
