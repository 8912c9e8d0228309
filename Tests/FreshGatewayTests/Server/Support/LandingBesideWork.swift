#if Gateway
  internal import FreshHTTP
  internal import FreshStoreTesting
  internal import NIOCore
  internal import StoreSupport

  @testable import FreshGateway
  @testable import FreshStore

  /// Stores an answer and does other work at the same time.
  ///
  /// Another program holds the lock until the answer waits for it. The work waits behind the
  /// answer, and has come further with more turns.
  func withLanding<Value: Sendable>(
    of answer: StoredAnswer, turns: Int,
    beside work: @escaping @Sendable (CopyShelf, CopyKey) async throws -> Value,
    test: (CopyShelf, CopyKey, Value) throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
      let page = address("http://origin.example/page")
      let key = CopyKey(page.text)
      var added = CopyChanges<StoredBody>()
      shelf.add(answer, .bytes(ByteBuffer(string: "hi")), page, among: [], to: &added)
      let changes = added
      let request = try await shelf.collection.request()
      let now = temporary.store.now()
      let other = try RawDatabase(temporary.path)
      try other.execute("BEGIN IMMEDIATE")
      let landing = Task { try await shelf.update(changes, answering: request, key, at: now) }
      while !temporary.store.requestCommits.isCommittingAll { await Task.yield() }
      let beside = Task { try await work(shelf, key) }
      for _ in 0..<turns { await Task.yield() }
      try other.execute("COMMIT")
      try await landing.value
      try test(shelf, key, await beside.value)
    }
  }
#endif
