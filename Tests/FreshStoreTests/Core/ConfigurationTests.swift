import FreshStoreTesting
import FreshStoreTools
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The default configuration of a store, as documented.
@Suite struct ConfigurationTests {
  private let configuration = Configuration(reachability: .fixed(.online))

  @Test func `locks and leases last five seconds, and clocks may differ by as much`() {
    #expect(configuration.busyTimeout == .seconds(5))
    #expect(configuration.leaseDuration == .seconds(5))
    #expect(configuration.allowedSkew == .seconds(5))
  }

  @Test func `a value has at most 64 MiB, and the file has no limit`() {
    #expect(configuration.maximumValueSize == 67_108_864)
    #expect(configuration.maximumSize == nil)
  }

  @Test func `four threads can read concurrently`() {
    #expect(configuration.maximumReaders == 4)
  }

  @Test func `the default random number is at least 0 and below 1`() {
    for _ in 0..<1000 { #expect((0..<1).contains(configuration.random())) }
  }

  @Test func `an origin is paused after five failures, for ten seconds to five minutes`() {
    #expect(configuration.breaker.threshold == 5)
    #expect(configuration.breaker.minimumPause == .seconds(10))
    #expect(configuration.breaker.maximumPause == .seconds(300))
  }

  @Test func `an import keeps other writers waiting for two milliseconds`() {
    #expect(ImportOptions().holdTime == .milliseconds(2))
  }

  @Test func `no write is dropped unless requested`() {
    #expect(configuration.access == .readWrite)
    #expect(!configuration.acceptsLostWrites)
  }

  @Test func `the kernel identifies the boot`() {
    #expect(SystemClock.bootIdentifier != 0)
  }

  @Test func `a value may be as large as SQLite allows, however large the limit`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumValueSize = .max }) { temporary in
      try await temporary.store.bytes("bytes").put([1], for: "1")
      var importer = temporary.store.importer()
      let failure = await storeFailure {
        try await importer.take([UInt8](repeating: 65, count: 1 << 16)[...])
      }
      #expect(failure == nil)
    }
  }

  @Test(arguments: [
    MemoryLimits(records: .max, bytes: 32 << 20), MemoryLimits(records: 10_000, bytes: .max),
    MemoryLimits(records: .max, bytes: .max), MemoryLimits(records: 1, bytes: 1),
  ])
  func `a memory of any size keeps as much as fits`(_ limits: MemoryLimits) async throws {
    try await TemporaryStore.run(configure: { $0.memory = limits }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      for _ in 0..<3 { #expect(try articles.read("1").copy?.value == "one") }
    }
  }
}
