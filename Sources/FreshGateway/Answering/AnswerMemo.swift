internal import Synchronization

/// The plain answer from a copy, for all who ask within the same second: nothing in it changes meanwhile.
///
/// It is made anew for the first two of them, so that a copy that is seldom asked for takes no memory for it.
final class AnswerMemo: Sendable {
  private struct Entry {
    let age: Int64
    let status: CacheStatus
    let targets: [String]
    let base: String?
    var plan: AnswerPlan?
  }

  private let last = Mutex<Entry?>(nil)

  /// The answer with this age and status; made where it is not at hand.
  ///
  /// - Parameters:
  ///   - age: In seconds.
  ///   - targets: What the policy makes of the fields depends on these, and on the base of the origin.
  func plan(
    _ age: Int64, _ status: CacheStatus, _ targets: [String], _ base: String?,
    _ make: () -> AnswerPlan?
  ) -> AnswerPlan? {
    let status = status.inWholeSeconds
    let (known, isSecond) = last.withLock { entry -> (AnswerPlan?, Bool) in
      if let last = entry, last.age == age, last.status == status, last.targets == targets,
        last.base == base
      {
        return (last.plan, true)
      }
      entry = Entry(age: age, status: status, targets: targets, base: base)
      return (nil, false)
    }
    if let known { return known }
    guard var plan = make() else { return nil }
    guard isSecond else { return plan }
    plan.head = AnswerPlan.Head()
    last.withLock { [plan] entry in
      guard entry?.age == age, entry?.status == status, entry?.targets == targets,
        entry?.base == base
      else { return }
      entry?.plan = plan
    }
    return plan
  }
}
