import Strategies
import Testing

@testable import FreshStore

/// The plan of a get for a key, in cases that the table of whole gets does not cover.
@Suite struct GetPlanTests {
  private static let now = Timestamp(millisecondsSinceEpoch: 1_000_000)

  private func decision(
    _ outcome: Decision.Outcome, onError: Duration = .zero, nextAttempt: Duration? = nil,
    failure: String? = nil, age: Duration? = nil, expiry: Expiry = .unstated
  ) -> Decision {
    var record = StoredRecord(
      content: RecordContent(collection: "c", key: "k", expiry: expiry), kind: .value, epoch: 0)
    record.failure = failure
    record.nextAttempt = nextAttempt.map { Self.now.advanced(by: $0) }
    return Decision(
      DecisionFacts(
        collection: "c", key: "k", outcome: outcome, decidedBy: "timestamp",
        cause: .nothingStored, now: Self.now,
        lastUpdate: age.map { Self.now.advanced(by: .zero - $0) },
        staleSince: outcome == .stale ? Self.now : nil, mustRevalidate: false,
        graceWhileRevalidating: .zero, graceOnError: onError, hardEnd: nil,
        record: JudgedRecord(record, coveringMark: nil)))
  }

  private func plan(
    _ decision: Decision, _ policy: Policy, fetchCost: Duration? = nil
  ) -> GetPlan {
    GetPlan(
      decision, policy,
      GetPlan.Situation(
        intent: .get,
        obstacle: { canWait in
          let pause = decision.pause(policy)
          return canWait || pause?.origin == .named ? pause.map { .paused($0) } : nil
        }, random: { 0.5 }, fetchCost: fetchCost))
  }

  @Test func `a stale copy is not refreshed in the background where only the copy was requested`() {
    var policy = Policy()
    policy.mode = .cacheOnly(allowsStale: true)
    #expect(plan(decision(.stale), policy) == .serve(.stale, refreshes: false))
    #expect(plan(decision(.fresh), policy) == .serve(.fresh, refreshes: false))
    #expect(plan(decision(.offline), policy) == .serve(.offline, refreshes: false))
  }

  @Test func `in a pause a fresh copy replaces the source's answer`() {
    let paused = decision(.fresh, nextAttempt: .seconds(7), failure: "refused")
    let pause = AttemptPause(until: Self.now.advanced(by: .seconds(7)), cause: "refused")

    #expect(plan(paused, .sourceFirst) == .standIn(.paused(pause)))
    #expect(plan(decision(.fresh), .sourceFirst) == .fetch)
  }

  @Test func `in a pause only a stale copy within its grace replaces the source's answer`() {
    let pause = AttemptPause(until: Self.now.advanced(by: .seconds(7)), cause: "no reason kept")
    let within = decision(.stale, onError: .seconds(1), nextAttempt: .seconds(7))
    let without = decision(.stale, nextAttempt: .seconds(7))

    for policy in [Policy.sourceFirst, .cacheFirst] {
      #expect(plan(within, policy) == .standIn(.paused(pause)))
      #expect(plan(without, policy) == .fetch)
    }
  }

  /// −δ·β·ln(0.5) is 1.39 times the cost with a β of 2: 13.9 s before the expiry.
  @Test(arguments: [(86, false), (87, true)]) func `a larger beta starts a refresh earlier`(
    _ age: Int, _ isEager: Bool
  ) {
    var policy = Policy()
    policy.eagerRefresh = .probabilistic(beta: 2)
    let fresh = decision(.fresh, age: .seconds(age), expiry: .after(.seconds(100)))
    #expect(plan(fresh, policy, fetchCost: .seconds(10)) == .serve(.fresh, refreshes: isEager))
  }

  @Test(arguments: [Policy.sourceFirst, .cacheFirst])
  func `while offline a stale copy may be served even by a chain that ignores the network`(
    _ policy: Policy
  ) {
    let plan = GetPlan(
      decision(.stale), policy,
      GetPlan.Situation(
        intent: .get, obstacle: { _ in .offline("cut") }, random: { 0.5 }, fetchCost: nil))
    #expect(plan == .standIn(.offline("cut")))
  }
}
