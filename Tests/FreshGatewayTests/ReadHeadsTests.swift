#if Gateway
  internal import FreshHTTP
  internal import Testing

  @testable import FreshGateway

  @Suite struct ReadHeadsTests {
    private let policy = GatewayPolicy()

    @Test func `a head is read once for as long as its text stays the same`() throws {
      let heads = ReadHeads()
      let text = try stored("Cache-Control: max-age=60").encoded
      let first = try #require(heads.answer(text, nil, of: "a", policy))
      #expect(heads.answer(text, nil, of: "a", policy)?.memo === first.memo)
      let other = try stored("Cache-Control: max-age=61").encoded
      let renewed = try #require(heads.answer(other, nil, of: "a", policy))
      #expect(renewed.terms.lifetime == .seconds(61))
      let variant = heads.answer(other, "*", of: "a", policy)
      #expect(variant?.selection == VarySelection.none)
    }

    @Test func `texts that differ in their bytes alone are of two answers`() throws {
      let heads = ReadHeads()
      for name in ["\u{e9}", "e\u{301}"] {
        let text = try stored("Cache-Control: max-age=60 | X-Name:\(name)").encoded
        let value = heads.answer(text, nil, of: "a", policy)?.fields.first("X-Name")
        #expect(value?.utf8.elementsEqual(name.utf8) == true)
      }
    }

    @Test func `copies that share a place have each their own head`() throws {
      let heads = ReadHeads(count: 1)
      let text = try stored("Cache-Control: max-age=60").encoded
      let other = try stored("Cache-Control: max-age=61").encoded
      for _ in 1...2 {
        #expect(heads.answer(text, nil, of: "a", policy)?.terms.lifetime == .seconds(60))
        #expect(heads.answer(other, nil, of: "b", policy)?.terms.lifetime == .seconds(61))
      }
    }

    @Test func `a text that no gateway has written is read as none each time`() {
      let heads = ReadHeads()
      #expect(heads.answer("x", nil, of: "a", policy) == nil)
      #expect(heads.answer("x", nil, of: "a", policy) == nil)
    }
  }
#endif
