import Strategies
import Testing

@testable import Reachability

@Suite struct AskBudgetTests {
  @Test func `a small burst of questions is allowed at once and no more`() {
    let start = ContinuousClock.now
    var budget = AskBudget(now: start)
    let taken = (0..<20).filter { _ in budget.take(at: start) }
    #expect(taken.count == AskBudget.burst)
  }

  @Test func `a storm of one second leads to at most a hundred more questions`() {
    let start = ContinuousClock.now
    var budget = AskBudget(now: start)
    let taken = (0...10_000).filter { budget.take(at: start + .microseconds($0 * 100)) }
    #expect(taken.count == AskBudget.burst + 100)
  }

  @Test func `a refused question is allowed when its time comes`() {
    let start = ContinuousClock.now
    var budget = AskBudget(now: start)
    for _ in 0..<20 { _ = budget.take(at: start) }
    #expect(budget.nextAllowed == start + AskBudget.interval)
    let isTaken = budget.take(at: budget.nextAllowed)
    #expect(isTaken)
  }

  @Test func `a long silence saves up no more than the burst`() {
    let start = ContinuousClock.now
    var budget = AskBudget(now: start)
    let later = start + .seconds(3_600)
    let taken = (0..<20).filter { _ in budget.take(at: later) }
    #expect(taken.count == AskBudget.burst)
  }
}
