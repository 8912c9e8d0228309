import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes of records that were fetched with the credentials of another user.
@Suite struct OthersCopiesTests: BasisSuite {
  private static var policy: Policy {
    var policy = Policy.cacheFirst
    policy.acceptsVariant = { $0 == "mine" }
    return policy
  }

  /// A store in which another user has left a copy.
  private func withCopy(
    _ body: (RecordCollection<String>) async throws -> Void
  ) async throws {
    try await withArticles(Self.policy) { _, articles in
      var details = Self.version("1")
      details.variant = "hers"
      try await articles.put("hers", for: "1", details: details)
      #expect(try articles.value("1") == nil)
      try await body(articles)
    }
  }

  @Test func `an update is shown no copy of another user`() async throws {
    try await withCopy { articles in
      var seen: [String?] = []
      try await articles.update("1") { value in
        seen.append(value)
        value = "mine"
      }
      let sent = Sent<String>()
      try await drain(articles, into: sent)
      #expect(seen == [nil])
      #expect(sent.all.map(\.kind) == [.create])
      #expect(sent.all.map(\.base) == [nil])
    }
  }

  @Test func `a form that was empty is merged with no copy of another user`() async throws {
    try await withCopy { articles in
      let form = try articles.read("1").basis
      try await articles.write("mine", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      try await drain(articles, into: sent, conflicts: merges.policy)
      #expect(merges.asked.all.isEmpty)
      #expect(sent.all.map(\.base) == [nil])
    }
  }

  @Test func `a write states no version that another user has fetched`() async throws {
    try await withCopy { articles in
      try await articles.write("mine", for: "1")
      let sent = Sent<String>()
      try await drain(articles, into: sent)
      #expect(sent.all.map(\.base) == [nil])
      #expect(sent.all.map(\.baseValidators.isEmpty) == [true])
    }
  }

  @Test func `a value that was sent is no copy of another user`() async throws {
    try await withCopy { articles in
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in .accepted }
      let everybody = Policy.cacheFirst
      #expect(try articles.read("1", policy: everybody).copy?.value == "mine")
      #expect(try articles.kept("1")?.variant == nil)
    }
  }

  @Test func `a merge is shown no copy of another user`() async throws {
    try await withCopy { articles in
      try await articles.write("mine", for: "1")
      let merges = Merges()
      try await articles.drain(conflicts: merges.policy) { write in
        write.value == "mine" ? .conflict(.value("theirs")) : .accepted
      }
      #expect(merges.asked.all == [[nil, "mine", "theirs"]])
    }
  }
}
