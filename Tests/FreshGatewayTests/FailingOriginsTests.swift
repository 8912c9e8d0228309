internal import FreshStore
internal import FreshStoreTesting
internal import Strategies
internal import Testing

@testable import FreshGateway

/// A failing origin is reported once, and the gateway backs off from it.
@Suite struct FailingOriginsTests {
  private let clock = ManualClock()
  private let failing = FailingOrigins(addresses: 3, origins: 2)

  @Test func `an address that fails again says nothing new of its origin, until that answers`() {
    #expect(failing.fail("a", of: "one"))
    #expect(!failing.fail("a", of: "one"))
    #expect(failing.fail("b", of: "one"))
    #expect(!failing.fail("b", of: "one"))
    failing.answer(of: "one", at: 0)
    #expect(failing.fail("a", of: "one"))
  }

  @Test func `an origin that has answered is known for as long as is asked for`() {
    #expect(!failing.hasAnswered("one", within: .seconds(10), at: 0))
    failing.answer(of: "one", at: 1000)
    #expect(failing.hasAnswered("one", within: .seconds(10), at: 10_999))
    #expect(!failing.hasAnswered("one", within: .seconds(10), at: 11_000))
    #expect(!failing.hasAnswered("two", within: .seconds(10), at: 1000))
    failing.answer(of: "two", at: 1000)
    failing.answer(of: "three", at: 1000)
    #expect(!failing.hasAnswered("one", within: .seconds(10), at: 1000))
  }

  @Test func `what one origin answers says nothing of another`() {
    #expect(failing.fail("a", of: "one"))
    #expect(failing.fail("a", of: "two"))
    failing.answer(of: "two", at: 0)
    #expect(!failing.fail("a", of: "one"))
    #expect(failing.fail("a", of: "two"))
  }

  @Test func `beyond the addresses that are told apart each failure is news`() {
    for address in ["a", "b", "c"] { #expect(failing.fail(address, of: "one")) }
    for _ in 1...2 { #expect(failing.fail("d", of: "one")) }
    #expect(!failing.fail("a", of: "one"))
  }

  @Test func `of too many origins the failures are forgotten, and not kept for ever`() {
    for origin in ["one", "two"] { #expect(failing.fail("a", of: origin)) }
    #expect(!failing.fail("a", of: "one"))
    #expect(failing.fail("a", of: "three"))
    #expect(failing.fail("a", of: "one"))
  }

  @Test func `an origin is left alone until its pause is over`() {
    #expect(failing.pausing(at: clock.reading().wall) == 0)
    failing.pause("one", until: clock.reading().wall.advanced(by: .seconds(10)))
    failing.pause("two", until: clock.reading().wall.advanced(by: .seconds(20)))
    #expect(failing.pausing(at: clock.reading().wall) == 2)
    clock.advance(by: .milliseconds(9999))
    #expect(failing.pausing(at: clock.reading().wall) == 2)
    clock.advance(by: .milliseconds(1))
    #expect(failing.pausing(at: clock.reading().wall) == 1)
    clock.advance(by: .seconds(10))
    #expect(failing.pausing(at: clock.reading().wall) == 0)
  }

  @Test func `the longest pause is told of as long as it lasts`() {
    #expect(failing.longestPause(at: clock.reading().wall)?.origin == nil)
    let end = clock.reading().wall.advanced(by: .seconds(20))
    failing.pause("one", until: clock.reading().wall.advanced(by: .seconds(10)))
    failing.pause("two", until: end)
    clock.advance(by: .milliseconds(19_999))
    let pause = failing.longestPause(at: clock.reading().wall)
    #expect(pause?.origin == "two" && pause?.end == end)
    clock.advance(by: .milliseconds(1))
    #expect(failing.longestPause(at: clock.reading().wall)?.origin == nil)
  }

  @Test func `a later pause takes the place of the one before, and an answer ends it`() {
    failing.pause("one", until: clock.reading().wall.advanced(by: .seconds(10)))
    failing.pause("one", until: clock.reading().wall.advanced(by: .seconds(30)))
    clock.advance(by: .seconds(20))
    #expect(failing.pausing(at: clock.reading().wall) == 1)
    failing.answer(of: "one", at: 0)
    #expect(failing.pausing(at: clock.reading().wall) == 0)
  }

  @Test func `of too many origins the pauses are forgotten`() {
    for origin in ["one", "two", "three"] {
      failing.pause(origin, until: clock.reading().wall.advanced(by: .seconds(10)))
    }
    #expect(failing.pausing(at: clock.reading().wall) == 1)
  }
}
