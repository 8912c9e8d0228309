/// Says ``Verdict/valid`` of every object; put last, it turns "undecided" into valid.
package struct DefaultStrategy<Subject>: Strategy {
  /// Creates the strategy.
  package init() {}

  /// `default`.
  package var name: String { "default" }

  /// Valid, without looking at the subject.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    .valid(.always)
  }
}

extension Strategy {
  /// Says ``Verdict/valid`` of every object.
  public static func `default`<Object>() -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(DefaultStrategy())
  }
}
