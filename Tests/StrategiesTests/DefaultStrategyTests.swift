import Testing

@testable import Strategies

@Suite struct DefaultStrategyTests {
  @Test(arguments: [
    Article(), .aged(.seconds(86_400)), Article(lastUpdate: nil, invalidation: "recalled"),
  ])
  func `the default strategy finds every object valid`(article: Article) {
    #expect(DefaultStrategy().judge(article, in: .test) == .valid(.always))
  }
}
