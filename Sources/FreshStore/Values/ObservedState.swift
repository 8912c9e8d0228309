internal import Strategies

/// What an observation shows.
protocol ObservedState: Sendable {
  /// True when an observer need not hear of this state after the other one.
  func isSame(as other: Self) -> Bool

  /// The same after a look that failed.
  func failing(_ failure: StoreError) -> Self

  /// The next moment on the wall clock at which the decisions change although nothing is committed;
  /// `nil` when there is none.
  ///
  /// - Parameter now: The time of the look, or a moment before it.
  func nextChange(after now: ClockReading, by gate: Gate) -> Timestamp?
}

/// The result of one look at the store.
struct ObservedLook<State: Sendable>: Sendable {
  /// The state; `nil` when it is that of the last element.
  var news: State?
  /// The time since boot at which to look again if nothing is heard until then.
  var again: Duration?
}

extension ObservedState {
  /// Looks at the store; `nil` when it is closed.
  ///
  /// - Parameters:
  ///   - last: The last element.
  ///   - initial: The state in place of a last one when the first look fails.
  static func look(
    after last: Self?, at store: Store, initial: (StoreError) -> Self,
    _ find: (Self?) throws(StoreError) -> Self
  ) -> ObservedLook<Self>? {
    let now = store.now()
    let sinceBoot = Duration.milliseconds(now.sinceBoot)
    do throws(StoreError) {
      let state = try find(last)
      let next = state.nextChange(after: now, by: store.gate)
      return ObservedLook(
        news: state.unless(last), again: next.map { sinceBoot + $0.duration(since: now.wall) })
    } catch {
      guard error.code != .closed, error.code != .forked else { return nil }
      let state = last?.failing(error) ?? initial(error)
      return ObservedLook(news: state.unless(last), again: sinceBoot + retryPause)
    }
  }

  private func unless(_ last: Self?) -> Self? {
    if let last, isSame(as: last) { nil } else { self }
  }

  /// The pause after a look that failed.
  private static var retryPause: Duration { .seconds(1) }
}
