import Testing

@testable import FreshGateway

/// Operators hear of an origin that fails, and not of each of its failures.
@Suite struct OriginWatchTests {
  @Test func `a change is told once, with its reason`() {
    let watch = OriginWatch()
    #expect(watch.answer(at: 0) == nil)
    #expect(watch.fail("connection refused", at: 1) == "the origin fails: connection refused")
    #expect(watch.fail("connection refused", at: 2) == nil)
    #expect(watch.fail("it answers 503", at: 30_000) == nil)
    #expect(watch.answer(at: 30_001) == "the origin answers again")
    #expect(watch.answer(at: 60_000) == nil)
  }

  @Test func `what comes and goes is told now and then`() {
    let watch = OriginWatch()
    #expect(watch.fail("a", at: 0) != nil)
    #expect(watch.answer(at: 1) == nil)
    #expect(watch.fail("b", at: 2) == nil)
    #expect(watch.answer(at: 9_999) == nil)
    #expect(watch.answer(at: 10_000) == "the origin answers again")
    #expect(watch.fail("c", at: 10_001) == nil)
    #expect(watch.fail("d", at: 20_000) == "the origin fails: d")
  }
}
