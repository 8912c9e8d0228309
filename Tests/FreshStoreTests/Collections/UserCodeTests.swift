import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// Code of an application may use the store wherever it is called: never within a read, a transaction or a lock. Where
/// it is, this ends with a trap.
@Suite(.timeLimit(.minutes(1))) struct UserCodeTests {
  /// Reads and writes the store, once it is there.
  private final class Look: Sendable {
    let store = Mutex<Store?>(nil)
    let count = Atomic<Int>(0)

    func callAsFunction() {
      guard let store = store.withLock({ $0 }) else { return }
      count.add(1, ordering: .relaxed)
      do {
        _ = try store.statistics()
        _ = try store.storage.forgetAnsweredKeys(now: store.now())
      } catch {
        Issue.record(error)
      }
    }
  }

  private struct LookingCodec: Codec {
    let look: Look

    var identifier: String { "looking" }

    func reads(_ identifier: String) -> Bool {
      look()
      return identifier == self.identifier
    }

    func encode(_ value: Int) throws -> [UInt8] {
      look()
      return Array("\(value)".utf8)
    }

    func decode(_ bytes: [UInt8]) throws -> Int {
      look()
      return Int(String(decoding: bytes, as: UTF8.self)) ?? 0
    }

    func areSame(_ one: Int, _ other: Int) throws -> Bool {
      look()
      return one == other
    }
  }

  private struct LookingReporter: Reporter {
    let look: Look
    func report(_ event: StoreEvent) { look() }
  }

  @Test func `codecs, strategies, rules, policies and reporters may use the store`() async throws {
    let look = Look()
    try await TemporaryStore.run(configure: { configuration in
      configuration.maximumReaders = 1
      configuration.reporter = LookingReporter(look: look)
      configuration.random = {
        look()
        return 0.5
      }
      configuration.chain = [
        .asking("looking") { _, _ in
          look()
          return .unknown(.custom("it looks"))
        }, .invalidation(), .timestamp(), .default(),
      ]
    }) { temporary in
      let (store, clock) = (temporary.store, temporary.clock)
      look.store.withLock { $0 = store }
      defer { look.store.withLock { $0 = nil } }
      var policy = Policy.cacheFirst.expiring(.seconds(60)).jitter(0.5).origin("o")
      policy.acceptsVariant = { _ in
        look()
        return true
      }
      let rule = Rule<Int>(code: "looks") { _ in
        look()
        return true
      }
      let numbers = try store.collection(
        "numbers", codec: LookingCodec(look: look), policy: policy, admitting: rule)

      try await numbers.put(1, for: "1", details: FetchDetails(tags: ["t"]))
      for expiry in [nil, Duration.zero] {
        clock.advance(by: .seconds(100))
        _ = try await numbers.get("1") { _ in
          .value(2, FetchDetails(expiry: expiry.map { .after($0) }))
        }
      }
      let broken = ScriptedOrigin<Int> { _ in throw OriginFailure() }
      _ = await numbers.failure("2", from: broken)
      _ = try numbers.values()
      _ = try numbers.explain("1")
      try await numbers.markStale(["1", "2"])
      _ = try await store.sweep()
      _ = try store.list()
      _ = try await numbers.update("1") { $0 = ($0 ?? 0) + 1 }
      try await numbers.write(5, for: "3")
      try await numbers.drain(policy: policy, conflicts: .clientWins) { write in
        write.key == "1" ? .conflict(.value(9)) : .acceptedAs(6, FetchDetails())
      }
      _ = try await numbers.follow("all") { _ in
        .full(["4": .value(4, FetchDetails())], cursor: nil)
      }
      var prune = PruneOptions()
      prune.progress = { _ in look() }
      prune.maximumCount = 1
      _ = try await store.prune(prune)
      #expect(look.count.load(ordering: .relaxed) > 20)
    }
  }
}
