import Strategies
import Testing

@testable import FreshStore

/// The statements of a decision about its copy.
@Suite struct DecisionTests {
  private static let now = Timestamp(millisecondsSinceEpoch: 1_000_000)

  private func decision(
    _ outcome: Decision.Outcome, staleFor: Duration? = nil, whileRevalidating: Duration = .zero,
    onError: Duration = .zero
  ) -> Decision {
    Decision(
      DecisionFacts(
        collection: "c", key: "k", outcome: outcome, decidedBy: "timestamp",
        cause: .nothingStored, now: Self.now, lastUpdate: nil,
        staleSince: staleFor.map { Self.now.advanced(by: .zero - $0) }, mustRevalidate: false,
        graceWhileRevalidating: whileRevalidating, graceOnError: onError, hardEnd: nil,
        record: nil))
  }

  @Test func `a fresh copy replaces a fetch that is put off, without any grace`() {
    #expect(decision(.fresh).mayStandIn)
    #expect(!decision(.missing).mayStandIn)
  }

  @Test func `a stale copy replaces such a fetch within the longer of both graces`() {
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

  @Test func `a copy found unusable is stale from the decision on`() {
    let settled = decision(.fresh).settled(.unusable, .damaged)

    #expect(settled.outcome == .unusable && settled.cause == .damaged)
    #expect(settled.decidedBy == "record")
    #expect(settled.staleSince == Self.now)
  }

  @Test func `a stale copy found unusable stays stale since the earlier moment`() {
    let settled = decision(.stale, staleFor: .seconds(3)).settled(.unusable, .damaged)
    #expect(settled.staleFor == .seconds(3))
  }

  @Test func `copies that are fresh, offline or known to be absent may be served`() {
    let outcomes: [Decision.Outcome] = [.fresh, .offline, .absent, .stale, .unusable, .missing]
    #expect(outcomes.filter { decision($0).isServable } == [.fresh, .offline, .absent])
  }
}
