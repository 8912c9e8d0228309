import FreshStore
import Strategies
import Testing

/// The default policy, as documented.
@Suite struct PolicyTests {
  @Test func `a record is fresh for five minutes, and an absence for one`() {
    #expect(Policy().expiry == .after(.seconds(300)))
    #expect(Policy().negativeExpiry == .after(.seconds(60)))
  }

  @Test func `a fetch may take half a minute, and has no soft timeout`() {
    #expect(Policy().hardTimeout == .seconds(30))
    #expect(Policy().softTimeout == nil)
  }

  @Test func `pauses after failures start at a second and last five minutes at most`() {
    #expect(Policy().retryPause == .seconds(1))
    #expect(Policy().maximumRetryPause == .seconds(300))
  }

  @Test func `stale copies and early refreshes are off by default`() {
    let policy = Policy()
    #expect(policy.graceWhileRevalidating == .zero)
    #expect(policy.graceOnError == .zero)
    #expect(policy.eagerRefresh == .never)
    #expect(policy.jitter == 0)
    #expect(!policy.mustRevalidate)
  }

  @Test func `offline first serves any copy, at once and instead of an error`() {
    #expect(Policy.offlineFirst.graceWhileRevalidating == .unlimited)
    #expect(Policy.offlineFirst.graceOnError == .unlimited)
  }

  @Test func `each modifier changes one property, and a call states only what differs`() {
    let policy = Policy.offlineFirst.expiring(.minutes(5)).graceOnError(.hours(1))
    #expect(policy.expiry == .after(.seconds(300)) && policy.graceOnError == .seconds(3600))
    #expect(policy.graceWhileRevalidating == .unlimited)

    let every = Policy().mode(.sourceFirst).expiring(.never).ageBase(.response).jitter(0.1)
      .eagerRefresh(.afterFraction(0.5)).graceWhileRevalidating(.seconds(1))
      .graceWhileOriginIsDown(.seconds(2)).hardEnd(.days(3)).mustRevalidate().softTimeout(
        .seconds(4)
      )
      .hardTimeout(.seconds(5)).waitingTimeout(.seconds(6)).retryPause(
        .seconds(7), upTo: .seconds(8)
      )
      .negativeExpiry(nil).reachability(.ignore).origin(Origin("https://a.example"))
    #expect(every.mode == .sourceFirst && every.expiry == .never && every.ageBase == .response)
    #expect(every.jitter == 0.1 && every.eagerRefresh == .afterFraction(0.5))
    #expect(every.graceWhileRevalidating == .seconds(1))
    #expect(every.graceWhileOriginIsDown == .seconds(2) && every.hardEnd == .seconds(259_200))
    #expect(every.mustRevalidate && every.softTimeout == .seconds(4))
    #expect(every.hardTimeout == .seconds(5) && every.waitingTimeout == .seconds(6))
    #expect(every.retryPause == .seconds(7) && every.maximumRetryPause == .seconds(8))
    #expect(every.negativeExpiry == nil && every.reachability == .ignore)
    #expect(every.origin == Origin("https://a.example:443"))
    #expect(every.with(\.jitter, 0.2).jitter == 0.2)
    #expect(!every.mustRevalidate(false).mustRevalidate)
  }

  @Test func `the unlimited grace is a million million seconds`() {
    #expect(Duration.unlimited == .seconds(1_000_000_000_000))
  }
}
