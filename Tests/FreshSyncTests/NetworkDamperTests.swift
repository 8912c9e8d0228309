import Testing

@testable import FreshSync

@Suite struct NetworkDamperTests {
  private func damper() -> NetworkDamper {
    NetworkDamper(settle: .milliseconds(25), longest: .seconds(1))
  }

  @Test func `a network that is up from the start is used at once`() {
    var damper = damper()
    #expect(damper.note(isAway: false, at: .seconds(1)) == .done)
  }

  @Test func `a network that returns is used once it has held`() {
    var damper = damper()
    _ = damper.note(isAway: true, at: .seconds(1))

    #expect(damper.note(isAway: false, at: .seconds(2)) == .waiting(.milliseconds(25)))
    #expect(damper.note(isAway: false, at: .milliseconds(2010)) == .waiting(.milliseconds(15)))
    #expect(damper.note(isAway: false, at: .milliseconds(2025)) == .done)
  }

  @Test func `each return within a minute doubles the time of caution, up to the longest`() {
    var damper = damper()
    var rests: [Duration] = []
    for second in 1...8 {
      let returned = Duration.seconds(second) + .milliseconds(1)
      _ = damper.note(isAway: true, at: .seconds(second))
      #expect(damper.note(isAway: false, at: returned) == .waiting(.milliseconds(25)))
      rests.append(damper.note(isAway: false, at: returned + .milliseconds(25)).rest ?? .zero)
    }
    #expect(rests == [0, 25, 75, 175, 375, 775, 975, 975].map { .milliseconds($0) })
  }

  @Test func `a network that comes and goes is used with caution, and then without`() {
    var damper = damper()
    for second in 1...2 {
      _ = damper.note(isAway: true, at: .seconds(second))
      _ = damper.note(isAway: false, at: .seconds(second))
    }
    #expect(damper.note(isAway: false, at: .milliseconds(2025)) == .cautious(.milliseconds(25)))
    #expect(damper.note(isAway: false, at: .milliseconds(2050)) == .done)
  }

  @Test func `returns of more than a minute ago are forgotten`() {
    var damper = damper()
    for second in [1, 62, 130] {
      _ = damper.note(isAway: true, at: .seconds(second))
      _ = damper.note(isAway: false, at: .seconds(second))
      #expect(damper.note(isAway: false, at: .seconds(second) + .milliseconds(25)) == .done)
    }
  }

  @Test func `a network that is lost while it settles starts to settle again`() {
    var damper = damper()
    _ = damper.note(isAway: true, at: .seconds(1))
    _ = damper.note(isAway: false, at: .seconds(2))

    #expect(damper.note(isAway: true, at: .milliseconds(2010)) == .done)
    #expect(damper.note(isAway: false, at: .milliseconds(2020)) == .waiting(.milliseconds(25)))
  }

  @Test func `a return is taken note of once, when the network may be used`() {
    var damper = damper()
    _ = damper.note(isAway: true, at: .seconds(1))
    _ = damper.note(isAway: false, at: .seconds(2))

    let taken = [2000, 2025, 2030].map { damper.takeReturn(at: .milliseconds($0)) }
    #expect(taken == [false, true, false])
  }

  @Test func `another network is a return that does not have to settle`() {
    var damper = damper()
    _ = damper.note(isAway: false, generation: 1, at: .seconds(1))
    let first = damper.takeReturn(at: .seconds(1))

    #expect(damper.note(isAway: false, generation: 2, at: .seconds(2)) == .done)
    #expect(!first && damper.takeReturn(at: .seconds(2)))
  }

  @Test(arguments: [(999, true), (1000, false)])
  func `a network that is lost within the time has returned in vain`(held: Int, isVain: Bool) {
    var damper = damper()
    _ = damper.note(isAway: true, at: .zero)
    _ = damper.note(isAway: false, at: .seconds(1))
    let before = damper.hasReturnedInVain(within: .seconds(1))
    for later in [0, 5000] {
      _ = damper.note(isAway: true, at: .milliseconds(1000 + held + later))
    }

    #expect(!before && damper.hasReturnedInVain(within: .seconds(1)) == isVain)
  }
}
