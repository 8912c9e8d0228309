package import Strategies

/// What decides when a list is followed again.
package struct ListStanding: Sendable, Hashable {
  private struct State: Hashable {
    let isAnew: Bool
    let dueAt: Timestamp?
    let failures: Int64
    let answered: Int64
  }

  /// When it is to be followed again; `nil` for never.
  package let due: Timestamp?
  /// `nil` when it was never followed, or was forgotten since.
  private let state: State?

  init(_ state: Storage.ListState?, due: Timestamp?) {
    self.due = due
    self.state = state.map { state in
      State(
        isAnew: state.lastUpdate == nil && state.failures == 0 && state.walk == nil,
        dueAt: state.dueAt, failures: state.failures, answered: state.answered)
    }
  }

  /// True when somebody has asked for the list since an update left it like that: it was restarted or
  /// forgotten, all was wiped, or its pause after a failure was ended. Another update by somebody is none
  /// of these.
  package func isAskedFor(since left: ListStanding) -> Bool {
    guard let state else { return left.state != nil }
    if state.isAnew { return state != left.state }
    guard let former = left.state else { return false }
    return state.answered == former.answered && state.failures == former.failures
      && state.dueAt != former.dueAt
  }
}
