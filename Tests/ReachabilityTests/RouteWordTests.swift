import Strategies
import Testing

@testable import Reachability

@Suite struct RouteWordTests {
  private static let verdicts: [RouteWord.Verdict] =
    [.unanswered, .online] + RouteCause.allCases.map(RouteWord.Verdict.offline)

  @Test(arguments: verdicts, [0, 1, 0xFF, UInt64.max >> 8])
  func `a verdict and a generation are encoded and decoded unchanged`(
    verdict: RouteWord.Verdict, generation: UInt64
  ) {
    let word = RouteWord(verdict, generation: generation)
    #expect(word.verdict == verdict)
    #expect(word.generation == generation)
  }

  @Test func `a word that was never written is unknown`() {
    #expect(RouteWord(rawValue: 0).verdict == .unanswered)
  }

  @Test(arguments: 0..<UInt64(256))
  func `an undefined code is unknown`(code: UInt64) {
    let verdict = RouteWord(rawValue: code).verdict
    #expect((verdict == .unanswered) == (code == 0 || code > 1 + RouteCause.allCases.count))
  }

  @Test func `offline takes every address, and the first one's cause is reported`() {
    #expect(
      RouteWord.Verdict([.noRoute(.blackhole), .noRoute(.noRoute)]) == .offline(.blackhole))
    #expect(RouteWord.Verdict([.noRoute(.blackhole), .failed("EPERM")]) == .unanswered)
    #expect(RouteWord.Verdict([]) == .unanswered)
  }

  @Test func `one address with a route is online, whatever the other addresses are`() throws {
    let reply = try #require(RouteReply(RouteMessages.route(), sequence: 1))
    let route = RouteAnswer(for: .v4(1)) { _ in reply }
    #expect(RouteWord.Verdict([.noRoute(.noRoute), .failed("EPERM"), route]) == .online)
  }
}
