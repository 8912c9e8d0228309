#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import StoreSupport
  internal import Testing

  @testable import FreshGateway

  /// What an unsafe request does to an address of many variants.
  @Suite(.timeLimit(.minutes(1))) struct InvalidatedVariantTests {
    /// There may be more than one address is to have: those who ask for different ones at once know nothing of each
    /// other's.
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

    /// Another program holds the lock while the answer and the mark come to wait for it, one sooner after the other each
    /// time.
    @Test(arguments: 0..<20)
    func
      `RFC 9111 4.4: a variant that is stored while its address is being made invalid is invalid, too`(
        turns: Int
      ) async throws
    {
      try await TemporaryStore.run { temporary in
        let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
        let page = address("http://origin.example/page")
        let key = CopyKey(page.text)
        let variant = try stored("Cache-Control: max-age=60 | Vary: A", for: "A: 1", length: 2)
        var added = CopyChanges<StoredBody>()
        shelf.add(variant, .bytes(ByteBuffer(string: "hi")), page, among: [], to: &added)
        let changes = added
        let request = try await shelf.collection.request()
        let now = temporary.store.now()
        let other = try RawDatabase(temporary.path)
        try other.execute("BEGIN IMMEDIATE")
        let landing = Task {
          try await shelf.update(changes, answering: request, key, at: now)
        }
        for _ in 0..<turns { await Task.yield() }
        let marking = Task { try await shelf.make(.address(key)) }
        for _ in 0..<turns { await Task.yield() }
        try other.execute("COMMIT")
        try await landing.value
        try await marking.value
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
