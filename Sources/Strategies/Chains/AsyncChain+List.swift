extension AsyncChain {
  /// Judges a list one object after the other; valid only when every object in it is. Stops at the
  /// first that is not.
  ///
  /// `whenEmpty` is the verdict on a list without objects, which only the caller can know.
  public func judge(
    all subjects: some Sequence<Subject>, whenEmpty: Verdict, in context: JudgementContext
  ) async -> ListJudgement {
    var count = 0
    for subject in subjects {
      let judgement = await judge(subject, in: context)
      guard judgement.isValid else { return ListJudgement(judgement, failedAt: count) }
      count += 1
    }
    return ListJudgement(allValid: count, whenEmpty: whenEmpty)
  }
}
