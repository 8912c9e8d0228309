import FreshStore
import Testing

@Suite struct AnswerTests {
  @Test func `only what is fresh, fetched or confirmed is not stale`() {
    let current = Answer<String>.Freshness.allCases.filter { !$0.isStale }
    #expect(current == [.fresh, .fetched, .revalidated])
  }
}
