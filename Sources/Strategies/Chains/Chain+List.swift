extension Chain {
  /// Judges a list, which is valid only when every object in it is; stops at the first that is not.
  ///
  /// `whenEmpty` is the verdict on a list without objects, which only the caller can know: a
  /// legitimately empty answer, or a copy that was never filled.
  public func judge(
    all subjects: some Sequence<Subject>, whenEmpty: Verdict, in context: JudgementContext
  ) -> ListJudgement {
    var count = 0
    for subject in subjects {
      let judgement = judge(subject, in: context)
      guard judgement.isValid else { return ListJudgement(judgement, failedAt: count) }
      count += 1
    }
    return ListJudgement(allValid: count, whenEmpty: whenEmpty)
  }
}
