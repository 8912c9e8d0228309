import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct MarkDuringBatchTests {
  /// A batch fetches `a` while another store holds `b`. That store marks `a` and releases `b`. The
  /// batch now fetches `b` under a lease that is newer than the mark, and `a` under an older one. A
  /// caller that knows of the mark must not accept the batch's value for `a`.
  @Test func `a batch is as old as its first lease`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.softTimeout = .seconds(20)
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      let here = try temporary.store.collection("articles", of: String.self, policy: policy)
      try await here.put("old", for: "a", details: FetchDetails(expiry: .immediately))
      let elsewhere = ScriptedOrigin<String> { _ in .value("never") }
      let origin = ScriptedOrigin<String> { _ in .value("before the mark") }
      elsewhere.hold()
      origin.hold()

      let holding = Task { await there.failure("b", from: elsewhere) }
      await elsewhere.calls(atLeast: 1)
      async let batch = here.get(["a", "b"]) { missing in
        var fetched: [String: Fetched<String>] = [:]
        for previous in missing { fetched[previous.key] = try await origin.fetch(previous) }
        return fetched
      }
      await origin.calls(atLeast: 1)
      try await there.markStale("a")
      holding.cancel()
      _ = await holding.value
      await origin.calls(atLeast: 2)
      // Two deadlines, two heartbeats, the batch's own soft timeout for `a`, the verdict on `a`.
      await temporary.clock.sleepers(atLeast: 6)
      async let newcomer = here.get("a") { _ in .value("after the mark") }
      await temporary.clock.sleepers(atLeast: 7)
      origin.release()

      #expect(try await newcomer.value == "after the mark")
      #expect(try await batch["a"]?.get().value == "before the mark")
      #expect(try here.state("a") == .fresh)
      try await other.close()
    }
  }
}
