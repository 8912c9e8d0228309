/// Says ``Verdict/valid`` of every object; put last, it turns "undecided" into valid.
public struct DefaultStrategy<Subject>: Strategy {
  /// Creates the strategy.
  public init() {}

  /// `default`.
  public var name: String { "default" }

  /// Valid, without looking at the subject.
  public func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    .valid(.always)
  }
}

extension AnyStrategy {
  /// Says ``Verdict/valid`` of every object.
  public static var `default`: AnyStrategy { AnyStrategy(DefaultStrategy()) }
}
