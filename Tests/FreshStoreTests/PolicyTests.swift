import FreshStore
import Strategies
import Testing

/// What a policy is that nobody has changed, as its documentation says.
@Suite struct PolicyTests {
  @Test func `a record holds five minutes, and the answer that there is none one`() {
    #expect(Policy().expiry == .after(.seconds(300)))
    #expect(Policy().negativeExpiry == .after(.seconds(60)))
  }

  @Test func `a fetch may take half a minute, and is waited for to its end`() {
    #expect(Policy().hardTimeout == .seconds(30))
    #expect(Policy().softTimeout == nil)
  }

  @Test func `attempts are a second apart, and five minutes at most`() {
    #expect(Policy().retryPause == .seconds(1))
    #expect(Policy().maximumRetryPause == .seconds(300))
  }

  @Test func `nothing stale stands in, and nothing is refreshed ahead, unless that is asked for`() {
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

  @Test func `a grace without a limit is a million million seconds`() {
    #expect(Duration.unlimited == .seconds(1_000_000_000_000))
  }
}
