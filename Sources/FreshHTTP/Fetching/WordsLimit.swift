#if HTTP
  internal import FreshStore

  /// Ends the wait for the body of an answer without a value: its words only adorn a message, and
  /// must not turn a received status into a time-out.
  struct WordsLimit: Sendable {
    private static let time = Duration.seconds(1)

    private let begins: AsyncStream<Void>.Continuation

    /// Only words follow from now on.
    func begin() { begins.yield() }

    /// Runs a request; once only words follow, it is cancelled when their time is up, and returns
    /// the words received by then.
    static func run(
      _ clock: any StoreClock,
      _ request: @escaping @Sendable (WordsLimit) async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
      let (words, begins) = AsyncStream.makeStream(of: Void.self)
      return try await withThrowingTaskGroup(of: HTTPAnswer?.self) { group in
        group.addTask { try await request(WordsLimit(begins: begins)) }
        group.addTask {
          for await _ in words {
            // Cancelled when the answer is complete.
            try? await clock.sleep(for: time)
            break
          }
          return nil
        }
        defer { group.cancelAll() }
        while let answer = try await group.next() {
          if let answer { return answer }
          group.cancelAll()
        }
        throw CancellationError()
      }
    }
  }
#endif
