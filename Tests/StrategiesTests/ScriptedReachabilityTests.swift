import FreshStoreTesting
import Strategies
import Testing

@Suite struct ScriptedReachabilityTests {
  @Test func `the provider repeats the steady answer and counts the questions`() {
    let provider = ScriptedReachability(.validated)
    #expect(provider.timesAsked == 0)
    #expect(provider.reachability() == .validated)
    #expect(provider.reachability() == .validated)
    #expect(provider.timesAsked == 2)
  }

  @Test func `queued answers come first, one for each question`() {
    let provider = ScriptedReachability(.online)
    provider.enqueue(.offline("a"), .suspected("b"))
    provider.enqueue(.unknown("c"))
    #expect(
      (0..<5).map { _ in provider.reachability() } == [
        .offline("a"), .suspected("b"), .unknown("c"), .online, .online,
      ])
  }

  @Test func `setting the answer drops the queued answers`() {
    let provider = ScriptedReachability(.online)
    provider.enqueue(.validated)
    provider.set(.offline("unplugged"))
    #expect(provider.reachability() == .offline("unplugged"))
  }

  @Test func `questions from many tasks are all counted and each queued answer is given once`()
    async
  {
    let provider = ScriptedReachability(.online)
    for index in 0..<50 { provider.enqueue(.offline("\(index)")) }
    let answers = await withTaskGroup(of: Reachability.self) { group in
      for _ in 0..<100 { group.addTask { provider.reachability() } }
      return await group.reduce(into: [Reachability: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(provider.timesAsked == 100)
    #expect(answers[.online] == 50)
    #expect(answers.count == 51)
  }
}
