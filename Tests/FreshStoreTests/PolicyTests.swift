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

  @Test func `the unlimited grace is a million million seconds`() {
    #expect(Duration.unlimited == .seconds(1_000_000_000_000))
  }
}
