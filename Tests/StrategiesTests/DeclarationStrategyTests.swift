import Testing

@testable import Strategies

@Suite struct DeclarationStrategyTests {
  @Test func `invalidation: an object that says it is invalid is invalid, with its cause`() {
    let opinion = InvalidationStrategy().judge(Article(invalidation: "tag recalled"), in: .test)
    #expect(opinion == .invalid(.marked("tag recalled")))
  }

  @Test func `invalidation: any other object is unknown, however old`() {
    let opinion = InvalidationStrategy().judge(Article.aged(.seconds(86_400)), in: .test)
    #expect(opinion == .unknown(.notMarked))
  }

  @Test func `validation: an object its owner declares valid is valid, however old`() {
    var article = Article.aged(.seconds(86_400))
    article.isDeclaredValid = true
    #expect(ValidationStrategy().judge(article, in: .test) == .valid(.declaredValid))
  }

  @Test func `validation: any other object is unknown, however fresh`() {
    #expect(ValidationStrategy().judge(Article(), in: .test) == .unknown(.notDeclared))
  }
}
