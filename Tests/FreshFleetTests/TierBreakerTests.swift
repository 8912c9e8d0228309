#if Fleet
  @testable import FreshFleet
  import FreshStore
  import Testing

  @Suite struct TierBreakerTests {
    private let slow = SharedTierError(.slow, "slow")

    @Test func `it opens after failures in a row alone`() {
      var breaker = TierBreaker(threshold: 3)
      _ = breaker.noteFailure(slow)
      _ = breaker.noteFailure(slow)
      breaker.noteAnswer()
      _ = breaker.noteFailure(slow)
      _ = breaker.noteFailure(slow)
      #expect(breaker.refusal == nil)
      let hasOpened = breaker.noteFailure(slow)
      #expect(hasOpened)
      #expect(breaker.refusal == slow)
    }

    @Test func `it opens at once without a connection`() {
      var breaker = TierBreaker(threshold: 3)
      let hasOpened = breaker.noteFailure(slow, opens: true)
      #expect(hasOpened && breaker.reach == .outOfReach(slow))
    }

    @Test func `what opened it is refused with its reason, as surely not done`() {
      var breaker = TierBreaker(threshold: 1)
      var error = slow
      error.isUncertain = true
      _ = breaker.noteFailure(error)
      #expect(breaker.refusal?.isUncertain == false)
    }

    @Test func `a late answer does not close it, and a probe does`() {
      var breaker = TierBreaker(threshold: 1)
      _ = breaker.noteFailure(slow)
      breaker.noteAnswer()
      #expect(breaker.refusal != nil)
      breaker.noteReached()
      #expect(breaker.reach == .reached)
    }

    @Test func `after a failure alone nobody knows whether the tier is in reach`() {
      var breaker = TierBreaker(threshold: 3)
      _ = breaker.noteFailure(slow)
      #expect(breaker.reach == .unknown)
      _ = breaker.noteFailure(slow)
      let hasOpened = breaker.noteFailure(slow)
      #expect(hasOpened && breaker.reach == .outOfReach(slow))
    }

    @Test func `it counts how often it has opened`() {
      var breaker = TierBreaker(threshold: 1)
      #expect(breaker.outages == 0)
      _ = breaker.noteFailure(slow)
      _ = breaker.noteFailure(slow)
      #expect(breaker.outages == 1)
      breaker.noteReached()
      #expect(breaker.outages == 1)
      _ = breaker.noteFailure(slow, opens: true)
      #expect(breaker.outages == 2)
    }

    @Test func `the first failure after a probe opens it again`() {
      var breaker = TierBreaker(threshold: 3)
      _ = breaker.noteFailure(slow, opens: true)
      breaker.noteReached()
      let hasOpened = breaker.noteFailure(slow)
      #expect(hasOpened)
    }
  }
#endif
