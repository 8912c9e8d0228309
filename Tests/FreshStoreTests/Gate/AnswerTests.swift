import FreshStore
import FreshStoreTesting
import StoreSupport
import Testing

@Suite struct AnswerTests {
  @Test func `only fresh, fetched and confirmed values are not stale`() {
    let current = Answer<String>.Freshness.allCases.filter { !$0.isStale }
    #expect(current == [.fresh, .fetched, .revalidated])
  }

  @Test(arguments: [true, false])
  func `a value just fetched needs no refresh, stored or not`(isStorable: Bool) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        .value("one", FetchDetails(isStorable: isStorable))
      }
      let answer = try await articles.get("1", from: origin)
      #expect(answer.freshness == .fetched && !answer.needsRefresh)
      #expect(try articles.read("1").copy?.value == (isStorable ? "one" : nil))
    }
  }
}
