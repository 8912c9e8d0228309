import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Conflicts whose local changes are brought into the source's version.
@Suite struct MergingTests: ArticleSuite {
  private let policy = ConflictPolicy<String>.merging { local, remote, base in
    remote += " with \(local) from \(base ?? "nothing")"
  }

  @Test(arguments: [
    (Fetched<String>.value("theirs"), "theirs with mine from one"), (.gone, "mine"),
  ])
  func `what both sides have is merged, and a change outlives a deletion there`(
    remote: Fetched<String>, expected: String
  ) async throws {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1")
      try await articles.write("mine", for: "1")
      let sent = Sent<String>()
      try await articles.drain(conflicts: policy) { write in
        sent.add(write)
        return sent.all.count == 1 ? .conflict(remote) : .accepted
      }

      #expect(sent.all.map(\.value) == ["mine", expected])
      #expect(try articles.value("1") == expected)
    }
  }

  @Test func `a deletion here gives way to a change there`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      try await articles.writeDeletion(of: "1")
      try await articles.drain(conflicts: policy) { _ in .conflict(.value("theirs")) }

      #expect(try articles.value("1") == "theirs")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }
}
