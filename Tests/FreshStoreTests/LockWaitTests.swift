import Testing

@testable import FreshStore

@Suite struct LockWaitTests {
  private func log(_ size: Int64) -> LockWait.LogStamp { LockWait.LogStamp(size: size) }

  @Test func `a lock with which nothing is done is waited for as long as the timeout says`() {
    var wait = LockWait(timeout: 100, at: 1000, log: log(1))
    let answers = [1099, 1100].map { wait.goesOn(at: $0, log: log(1)) }
    #expect(answers == [true, false])
  }

  @Test func `a lock that goes from hand to hand is waited for as long as it does`() {
    var wait = LockWait(timeout: 100, at: 1000, log: log(1))
    let turns = (1...11).map { turn in
      wait.goesOn(at: 1000 + Int64(turn) * 90, log: log(Int64(turn) + 1))
    }
    #expect(turns.allSatisfy { $0 })
    let answers = [1990 + 99, 1990 + 100].map { wait.goesOn(at: $0, log: log(12)) }
    #expect(answers == [true, false])
  }

  @Test func `all waiting together has an end`() {
    var wait = LockWait(timeout: 100, at: 1000, log: log(1))
    var now: Int64 = 1000
    while wait.goesOn(at: now, log: log(now)) { now += 10 }
    #expect(now == 1000 + 100 * LockWait.most)
  }

  @Test func `a timeout without end overflows nothing`() {
    var wait = LockWait(timeout: .max, at: 1000, log: log(1))
    let goesOn = wait.goesOn(at: 1_000_000, log: log(1))
    #expect(goesOn)
  }
}
