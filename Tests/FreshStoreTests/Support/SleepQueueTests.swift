#if os(Linux)
  import Platform
  import Synchronization
  import Testing

  /// The one thread that all sleeps share; in real time, as it has no other.
  @Suite(.timeLimit(.minutes(1))) struct SleepQueueTests {
    private final class Ends: Sendable {
      let all = Mutex<[Int64]>([])
    }

    @Test func `sleeps end in the order of their ends, and none before its own`() async throws {
      let (queue, ended) = (try #require(SleepQueue.shared), Ends())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for milliseconds: Int64 in [60, 0, 30, 90, 1, 30] {
          group.addTask {
            let start = ContinuousClock.now
            try await queue.sleep(nanoseconds: milliseconds * 1_000_000)
            #expect(ContinuousClock.now - start >= .milliseconds(milliseconds))
            ended.all.withLock { $0.append(milliseconds) }
          }
        }
        try await group.waitForAll()
      }
      #expect(ended.all.withLock { $0.suffix(2) } == [60, 90])
    }

    @Test(arguments: [Int64.max, 3_600_000_000_000])
    func `a sleep that is cancelled ends at once, also before it has begun`(
      nanoseconds: Int64
    ) async throws {
      let queue = try #require(SleepQueue.shared)
      for isEarly in [true, false] {
        let begun = Ends()
        let sleep = Task {
          while isEarly, !Task.isCancelled { await Task.yield() }
          begun.all.withLock { $0.append(nanoseconds) }
          try await queue.sleep(nanoseconds: nanoseconds)
        }
        while !isEarly, begun.all.withLock(\.isEmpty) { await Task.yield() }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
      }
    }

    @Test func `an alarm rings once, in its turn, and one that was ended never does`()
      async throws
    {
      let (queue, ended) = (try #require(SleepQueue.shared), Ends())
      let alarms = [40, 0, 20].map { (milliseconds: Int64) in
        queue.alarm(afterNanoseconds: milliseconds * 1_000_000) {
          ended.all.withLock { $0.append(milliseconds) }
        }
      }
      for _ in 0..<1000 {
        let forgotten = queue.alarm(afterNanoseconds: 300_000_000) {
          ended.all.withLock { $0.append(-1) }
        }
        queue.end(alarm: forgotten)
      }
      while ended.all.withLock({ $0.count }) < 3 { try await queue.sleep(nanoseconds: 1_000_000) }
      for number in alarms { queue.end(alarm: number) }
      try await queue.sleep(nanoseconds: 400_000_000)
      #expect(ended.all.withLock { $0 } == [0, 20, 40])
    }

    @Test func `many that are cancelled hold up none that waits`() async throws {
      let queue = try #require(SleepQueue.shared)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number: Int64 in 0..<5000 {
          let sleep = Task { try await queue.sleep(nanoseconds: 3_600_000_000_000 + number) }
          sleep.cancel()
          if number % 500 == 0 {
            group.addTask { try await queue.sleep(nanoseconds: number * 1000) }
          }
        }
        try await group.waitForAll()
      }
    }
  }
#endif
