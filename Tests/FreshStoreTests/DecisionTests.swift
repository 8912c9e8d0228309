import Strategies
import Testing

@testable import FreshStore

/// What a decision says of the copy it was made of.
@Suite struct DecisionTests {
  private static let now = Timestamp(millisecondsSinceEpoch: 1_000_000)

  private func decision(
    _ outcome: Decision.Outcome, staleFor: Duration? = nil, whileRevalidating: Duration = .zero,
    onError: Duration = .zero
  ) -> Decision {
    Decision(
      DecisionFacts(
        collection: "c", key: "k", outcome: outcome, decidedBy: "timestamp",
        cause: .nothingStored, trace: [], now: Self.now, lastUpdate: nil, age: nil,
        expiry: .unstated,
        staleSince: staleFor.map { Self.now.advanced(by: .zero - $0) }, mustRevalidate: false,
        graceWhileRevalidating: whileRevalidating, graceOnError: onError, hardEnd: nil, mark: nil,
        failures: 0, failure: nil, nextAttempt: nil))
  }

  @Test func `a fresh copy takes the place of a fetch that is put off, without any grace`() {
    #expect(decision(.fresh).mayStandIn)
    #expect(!decision(.missing).mayStandIn)
  }

  @Test func `a stale copy takes its place within the longer of both graces`() {
    let (short, long) = (Duration.seconds(1), Duration.seconds(10))
    for (one, other) in [(short, long), (long, short)] {
      func stands(_ staleFor: Duration) -> Bool {
        decision(.stale, staleFor: staleFor, whileRevalidating: one, onError: other).mayStandIn
      }
      #expect(stands(.seconds(10)))
      #expect(!stands(.seconds(10) + .milliseconds(1)))
    }
    #expect(!decision(.stale, staleFor: .zero).mayStandIn)
  }

  @Test func `what turns out unusable is stale from the decision on`() {
    let settled = decision(.fresh).settled(.unusable, .damaged)

    #expect(settled.outcome == .unusable && settled.cause == .damaged)
    #expect(settled.decidedBy == "record")
    #expect(settled.staleSince == Self.now)
  }

  @Test func `what turns out unusable and was stale before is so from then on`() {
    let settled = decision(.stale, staleFor: .seconds(3)).settled(.unusable, .damaged)
    #expect(settled.staleFor == .seconds(3))
  }

  @Test func `what may be served is what is fresh, offline or known to be absent`() {
    let outcomes: [Decision.Outcome] = [.fresh, .offline, .absent, .stale, .unusable, .missing]
    #expect(outcomes.filter { decision($0).isServable } == [.fresh, .offline, .absent])
  }
}
