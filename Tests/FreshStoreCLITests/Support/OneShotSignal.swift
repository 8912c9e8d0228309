#if CommandLine
  /// An event that happens once, and is awaited by one task.
  struct OneShotSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
      (stream, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func fire() { continuation.yield() }

    func fired() async {
      for await _ in stream { return }
    }
  }
#endif
