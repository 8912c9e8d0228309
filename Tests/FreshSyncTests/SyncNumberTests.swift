import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// The ranges of a synchronizer's options.
@Suite struct SyncNumberTests {
  typealias Change = @Sendable (inout SyncOptions) -> Void

  static let durations: [Change] = [
    Duration(attoseconds: .max), .unlimited + .nanoseconds(1), .nanoseconds(-1),
    Duration(attoseconds: .min),
  ].flatMap { bad -> [Change] in
    [
      { $0.maximumAge = bad }, { $0.settle = bad }, { $0.longestSettle = bad },
      { $0.outage = bad }, { $0.holding = bad }, { $0.gracePeriod = bad },
      { $0.reachabilityInterval = bad }, { $0.longestSleep = bad },
    ]
  }

  static let numbers: [Change] = [
    { $0.concurrency = 0 }, { $0.concurrency = .max }, { $0.concurrency = .min },
    { $0.concurrencyPerOrigin = 0 }, { $0.concurrencyPerOrigin = .max }, { $0.largeBody = -1 },
    { $0.slowestUpload = 0 }, { $0.maximumAttempts = 0 }, { $0.startsPerSecond = .nan },
    { $0.startsPerSecond = 0 }, { $0.startsPerSecond = .infinity }, { $0.holding = .zero },
    { $0.reachabilityInterval = .zero }, { $0.longestSleep = .zero },
  ]

  @Test func `a number outside its range is refused with words`() async throws {
    try await TemporaryStore.run { temporary in
      for change in Self.durations + Self.numbers {
        var options = SyncOptions()
        change(&options)
        let synchronizer = Synchronizer(temporary.store, options: options)
        let error = await #expect(throws: SyncError.self) { try await synchronizer.drain() }
        guard case .store(let failure)? = error, case .invalidArgument(let words) = failure.code
        else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(words.hasPrefix("a synchronizer's "))
      }
    }
  }

  @Test func `the ends of the ranges are taken`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      (options.concurrency, options.concurrencyPerOrigin) = (1_000_000, 1_000_000)
      (options.largeBody, options.slowestUpload, options.maximumAttempts) = (.max, .max, .max)
      (options.maximumAge, options.settle, options.outage) = (.unlimited, .unlimited, .unlimited)
      (options.longestSettle, options.holding) = (.unlimited, .unlimited)
      (options.gracePeriod, options.longestSleep) = (.unlimited, .unlimited)
      options.startsPerSecond = 1_000_000
      let synchronizer = Synchronizer(temporary.store, options: options)
      let pushed = try await synchronizer.drain().pushed
      #expect(pushed == 0)
    }
  }
}
