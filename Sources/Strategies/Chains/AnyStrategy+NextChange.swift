extension [Timestamp] {
  /// The earliest one after a moment; `nil` when there is none.
  func next(after now: Timestamp) -> Timestamp? { filter { $0 > now }.min() }
}

extension Array {
  /// The earliest moment at which one of the strategies may change its opinion by time alone.
  func nextChange<Subject>(of subject: Subject, in context: JudgementContext) -> Timestamp?
  where Element == AnyStrategy<Subject> {
    compactMap { $0.nextChange(of: subject, in: context) }.next(after: context.now)
  }
}
