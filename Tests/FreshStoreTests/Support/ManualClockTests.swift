import FreshStore
import FreshStoreTesting
import Strategies
import Testing

@Suite struct ManualClockTests {
  private let clock = ManualClock()

  @Test func `it is a Swift clock, whose sleepers wake when it is moved`() async throws {
    let start = clock.now
    let sleeping = Task { [clock] in
      try await clock.sleep(until: start.advanced(by: .microseconds(1500)))
      return clock.now
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(1))

    #expect(try await start.duration(to: sleeping.value) == .milliseconds(2))
    #expect(clock.measure { clock.advance(by: .seconds(3)) } == .seconds(3))
  }

  @Test func `its moments go on across a restart, while the boot clock begins anew`() {
    let start = clock.now
    clock.advance(by: .seconds(1))
    clock.reboot(after: .seconds(60))

    #expect(start.duration(to: clock.now) == .seconds(61))
    #expect(start < clock.now)
    #expect(clock.reading().sinceBoot == 0)
  }

  @Test func `a sleeper's time goes on across a restart`() async throws {
    let sleeping = Task { [clock] in
      try await clock.sleep(until: clock.now.advanced(by: .seconds(30)))
    }
    await clock.sleepers(atLeast: 1)
    clock.reboot(after: .seconds(60))
    try await sleeping.value
  }

  @Test func `both clocks keep what is less than a millisecond`() {
    let before = clock.reading()
    for _ in 0..<4 { clock.advance(by: .microseconds(500)) }
    let after = clock.reading()
    #expect(after.wall.duration(since: before.wall) == .milliseconds(2))
    #expect(after.sinceBoot - before.sinceBoot == 2)
  }

  @Test func `setting the wall clock moves no moment`() {
    let start = clock.now
    clock.stepWall(by: .seconds(3600))
    #expect(clock.now == start)
  }

  @Test func `a cancelled sleep throws`() async {
    let sleeping = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(atLeast: 1)
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
  }
}
