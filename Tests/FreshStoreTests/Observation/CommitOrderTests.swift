import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The changes of a store come in the order of its commits, whoever makes them.
@Suite struct CommitOrderTests {
  @Test func `the last change of a key is that of its last commit`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      var wrong = 0
      for round in 0..<300 {
        let key = "\(round)"
        var changes = articles.changes(of: key).makeAsyncIterator()
        try await articles.put(0, for: key)
        async let put: Void = articles.put(1, for: key)
        async let removal = articles.remove(key)
        async let mark = articles.markStale(key)
        _ = try await (put, removal, mark)
        // The end of what this round tells.
        try await articles.put(2, for: key)
        try await articles.remove(key)
        var kinds: [Change.Kind] = []
        while let change = await changes.next() {
          kinds.append(change.kind)
          if kinds.suffix(2) == [.stored, .removed], kinds.count(where: { $0 == .stored }) == 3 {
            break
          }
        }
        // A mark of what is not there, and a removal of it, are none.
        var isThere = false
        for kind in kinds {
          switch kind {
          case .stored: isThere = true
          case .removed where isThere: isThere = false
          case .marked where isThere: break
          default: wrong += 1
          }
        }
      }
      #expect(wrong == 0)
    }
  }

  @Test func `a change is told once the commit can be read`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      var changes = articles.changes().makeAsyncIterator()
      for number in 0..<50 {
        async let put: Void = articles.put(number, for: "1")
        let change = await changes.next()
        #expect(change?.kind == .stored)
        #expect(try articles.read("1").copy?.value == number)
        try await put
      }
    }
  }
}
