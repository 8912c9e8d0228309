import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Two processes that write in turns and read each other's values; `FRESHSTORE_COHERENCE_ROUNDS` sets the
/// number of rounds.
@Suite(.timeLimit(.minutes(10))) struct MemoryCoherenceTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["FRESHSTORE_COHERENCE_ROUNDS"].flatMap(Int.init) ?? 1_000

  @Test func `failures recorded by another process are visible from memory, too`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let other = try temporary.another()
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .immediately))
      for failures in 1...3 {
        _ = try articles.read("1")
        let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
        _ = await (try other.collection("articles", of: String.self)).failure(
          "1", Policy.strict, from: origin)
        for _ in 1...2 { #expect(try articles.read("1").decision.failures == failures) }
        temporary.clock.advance(by: .seconds(3600))
      }
      try await other.close()
    }
  }

  @Test func `no read answers with a value that another process has replaced`() async throws {
    try await TemporaryStore.run { temporary in
      let worker = try await WorkerProcess(commandedOn: temporary.path)
      let values = try temporary.store.bytes("values")
      let database = temporary.store.storage.database
      var generator = SeededGenerator(seed: 6)
      var model: [String: Int] = [:]
      var (stale, served) = (0, 0)
      for round in 0..<Self.rounds {
        let key = "\(Int.random(in: 0..<8, using: &generator))"
        if Bool.random(using: &generator) {
          try await worker.run("set \(key) \(round)")
        } else {
          try await values.put(Array("\(round)".utf8), for: key, durability: .normal)
        }
        model[key] = round
        // The next writer restarts the log, and it is truncated now and then.
        if round % 64 == 0 { _ = await database.moveLog() }
        if round % 500 == 499 { _ = try temporary.store.storage.emptyLog(.prune) }
        for (key, number) in model {
          if database.memory.find(key, values.kind)?.isCurrent == true { served += 1 }
          let reading = try values.read(key)
          let isRight = reading.copy?.value == Array("\(number)".utf8)
          stale += isRight ? 0 : 1
        }
      }
      #expect(stale == 0)
      // The test is about reads served from memory.
      #expect(served > Self.rounds)
    }
  }
}
