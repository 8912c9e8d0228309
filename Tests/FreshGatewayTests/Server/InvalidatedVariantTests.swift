#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import Testing

  @testable import FreshGateway

  /// An unsafe request makes all variants of an address invalid.
  @Suite(.timeLimit(.minutes(1))) struct InvalidatedVariantTests {
    /// An address may have more variants than its limit allows, because concurrent requests for
    /// different variants do not see each other.
    @Test(arguments: [1, 32, 33, 80])
    func `RFC 9111 4.4: all variants of an address are invalid, however many there are`(
      count: Int
    ) async throws {
      try await TemporaryStore.run { temporary in
        let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
        let page = address("http://origin.example/page")
        let key = CopyKey(page.text)
        var changes = CopyChanges<StoredBody>()
        for number in 1...count {
          let variant = try stored(
            "Cache-Control: max-age=60 | Vary: A", for: "A: \(number)", length: 2)
          shelf.add(variant, .bytes(ByteBuffer(string: "hi")), page, among: [], to: &changes)
        }
        let request = try await shelf.collection.request()
        try await shelf.update(changes, answering: request, key, at: temporary.store.now())
        let keys = try shelf.collection.keys(beginningWith: key.prefix, limit: 100)
        #expect(keys.count == count)
        try await shelf.make(.address(key))
        for key in keys {
          let record = try #require(try shelf.collection.keptHead(key))
          #expect(HeldCopy(record, shelf.policy)?.candidate.mark == .invalid)
        }
      }
    }

    @Test(arguments: 0..<20)
    func
      `RFC 9111 4.4: a variant that is stored while its address is being made invalid is invalid, too`(
        turns: Int
      ) async throws
    {
      let variant = try stored("Cache-Control: max-age=60 | Vary: A", for: "A: 1", length: 2)
      try await withLanding(of: variant, turns: turns) { shelf, key in
        try await shelf.make(.address(key))
      } test: { (shelf, key, _) throws in
        let keys = try shelf.collection.keys(beginningWith: key.prefix, limit: 100)
        #expect(keys.count == 1)
        for key in keys {
          let record = try #require(try shelf.collection.keptHead(key))
          #expect(HeldCopy(record, shelf.policy)?.candidate.mark == .invalid)
        }
      }
    }
  }
#endif
