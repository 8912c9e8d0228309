import Testing

@testable import FreshStore

@Suite struct LockWaitTests {
  private func log(_ size: Int64) -> LockWait.LogStamp { LockWait.LogStamp(size: size) }

  @Test func `a wait for an idle lock ends with the timeout`() {
    var wait = LockWait(timeout: 100, at: 1000, log: log(1))
    let answers = [1099, 1100].map { wait.goesOn(at: $0, log: log(1)) }
    #expect(answers == [true, false])
  }

  @Test func `a wait for a lock continues while other processes use it in turn`() {
    var wait = LockWait(timeout: 100, at: 1000, log: log(1))
    let turns = (1...11).map { turn in
      wait.goesOn(at: 1000 + Int64(turn) * 90, log: log(Int64(turn) + 1))
    }
    #expect(turns.allSatisfy { $0 })
    let answers = [1990 + 99, 1990 + 100].map { wait.goesOn(at: $0, log: log(12)) }
    #expect(answers == [true, false])
  }

  @Test func `the total wait is limited`() {
    var wait = LockWait(timeout: 100, at: 1000, log: log(1))
    var now: Int64 = 1000
    while wait.goesOn(at: now, log: log(now)) { now += 10 }
    #expect(now == 1000 + 100 * LockWait.most)
  }

  @Test func `an infinite timeout causes no overflow`() {
    var wait = LockWait(timeout: .max, at: 1000, log: log(1))
    let goesOn = wait.goesOn(at: 1_000_000, log: log(1))
    #expect(goesOn)
  }
}
