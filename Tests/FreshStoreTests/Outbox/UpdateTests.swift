import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local changes from the present value.
@Suite struct UpdateTests: ArticleSuite {
  @Test func `updates at once lose nothing of each other`() async throws {
    try await TemporaryStore.run { temporary in
      let counts = try temporary.store.collection("counts", of: Int.self)
      let other = try temporary.another()
      let others = try other.collection("counts", of: Int.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            _ = try await (number % 2 == 0 ? counts : others).update("1") { $0 = ($0 ?? 0) + 1 }
          }
        }
        try await group.waitForAll()
      }
      #expect(try counts.value("1") == 40)
      #expect(try temporary.store.outbox().map(\.kind).prefix(2) == [.create, .replace])
      try await other.close()
    }
  }

  @Test func `an update that changes nothing writes nothing`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      #expect(try await articles.update("1") { _ in } == nil)
      #expect(try await articles.update("1") { $0 = "one" } == nil)
      #expect(try await articles.update("2") { $0?.append("more") } == nil)
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a stale value is a base, too, and an absent one is none`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      try await articles.markStale("1")
      try await articles.writeDeletion(of: "2")
      let seen = Recorder<String?>()
      for key in ["1", "2", "3"] {
        try await articles.update(key) { value in
          seen.add(value)
          value = "new"
        }
      }
      #expect(seen.all == ["one", nil, nil])
      #expect(try temporary.store.outbox(key: "1").map(\.kind) == [.replace])
      #expect(try temporary.store.outbox(key: "3").map(\.kind) == [.create])
    }
  }

  @Test func `a value that cannot be read is not replaced unseen`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let later = try temporary.store.collection("articles", of: Int.self, contentVersion: 2)
      do throws(StoreError) {
        try await later.update("1") { $0 = 1 }
        Issue.record("it was replaced")
      } catch {
        guard case .unreadable = error.code else { throw error }
        #expect("\(error)".contains("cannot be read"))
      }
      #expect(try articles.value("1") == "one")
    }
  }

  @Test func `a mark that comes in between is no reason to ask again`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let calls = Recorder<String?>()
      try await articles.update("1") { value in
        calls.add(value)
        value = "two"
      }
      #expect(calls.all == ["one"])
    }
  }

  @Test func `a part of the present value is changed in its place`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let entry = try await articles.update("1") { $0?.append(", two") }
      #expect(entry?.kind == .replace)
      #expect(try articles.value("1") == "one, two")
    }
  }

  @Test func `nil in place of a value deletes the object`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let entry = try await articles.update("1") { $0 = nil }
      #expect(entry?.kind == .delete)
      #expect(try articles.value("1") == nil)
    }
  }
}
