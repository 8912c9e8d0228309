#if CommandLine
  /// The requests of operators, by SIGHUP, to read again what may have been replaced, or those by SIGUSR1 to open the log
  /// anew. Those that come while one is dealt with count as one.
  struct Hangups: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
      (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// By any thread.
    func note() { continuation.yield() }
  }
#endif
