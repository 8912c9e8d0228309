/// Valid before a moment, invalid from it on; the subject plays no part.
package struct DeadlineStrategy<Subject>: Strategy {
  /// The first moment at which everything is invalid.
  package let deadline: Timestamp

  /// Creates the strategy.
  package init(_ deadline: Timestamp) {
    self.deadline = deadline
  }

  /// `deadline`.
  package var name: String { "deadline" }

  /// Compares the context's moment with the deadline.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    let remaining = deadline.duration(since: context.now)
    return Opinion(context.now < deadline ? .valid : .invalid, .deadline(remaining: remaining))
  }

  /// The deadline, until it has come.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    [deadline].next(after: context.now)
  }
}

extension Strategy {
  /// Valid before `deadline`, invalid from it on.
  public static func deadline<Object>(_ deadline: Timestamp) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(DeadlineStrategy(deadline))
  }
}
