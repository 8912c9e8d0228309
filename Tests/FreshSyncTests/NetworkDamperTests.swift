import Testing

@testable import FreshSync

@Suite struct NetworkDamperTests {
  private func damper() -> NetworkDamper {
    NetworkDamper(settle: .milliseconds(25), longest: .seconds(1))
  }

  @Test func `a network that is up from the start is used at once`() {
    var damper = damper()
    #expect(damper.note(isAway: false, at: .seconds(1)) == .zero)
  }

  @Test func `a network that returns is used once it has held`() {
    var damper = damper()
    _ = damper.note(isAway: true, at: .seconds(1))

    #expect(damper.note(isAway: false, at: .seconds(2)) == .milliseconds(25))
    #expect(damper.note(isAway: false, at: .milliseconds(2010)) == .milliseconds(15))
    #expect(damper.note(isAway: false, at: .milliseconds(2025)) == .zero)
  }

  @Test func `each return within a minute doubles the wait, up to the longest`() {
    var damper = damper()
    var waits: [Duration] = []
    for second in 1...8 {
      _ = damper.note(isAway: true, at: .seconds(second))
      waits.append(damper.note(isAway: false, at: .seconds(second) + .milliseconds(1)))
    }
    #expect(waits == [25, 50, 100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
  }

  @Test func `returns of more than a minute ago are forgotten`() {
    var damper = damper()
    for second in [1, 62, 130] {
      _ = damper.note(isAway: true, at: .seconds(second))
      #expect(damper.note(isAway: false, at: .seconds(second)) == .milliseconds(25))
    }
  }

  @Test func `a network that is lost while it settles starts to settle again`() {
    var damper = damper()
    _ = damper.note(isAway: true, at: .seconds(1))
    _ = damper.note(isAway: false, at: .seconds(2))

    #expect(damper.note(isAway: true, at: .milliseconds(2010)) == .zero)
    #expect(damper.note(isAway: false, at: .milliseconds(2020)) == .milliseconds(50))
  }
}
