#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// Whether the store takes what a gateway is to keep. Tells when that changes, and not at each request.
  final class KeepingHealth: Sendable {
    struct Failure: Sendable {
      /// Of the last attempt that failed.
      let reason: String
      let since: Timestamp

      var words: String { "answers are not kept since \(HTTPDate.format(since)): \(reason)" }
    }

    private struct State {
      var failure: Failure?
      /// The moment of the last attempt that failed, since the boot.
      var last: Int64 = 0
    }

    private let state = Mutex(State())
    private let tell: @Sendable (String) -> Void

    /// - Parameter tell: Takes a line for operators.
    init(tell: @escaping @Sendable (String) -> Void = { _ in }) { self.tell = tell }

    /// Why nothing is kept; `nil` while all is well.
    var failure: Failure? { state.withLock { $0.failure } }

    /// Notes that something was not kept; one that the file is not to blame for says nothing.
    func note(_ error: StoreError, at now: ClockReading) {
      guard error.isOfFile, error.code != .closed else { return }
      let reason = "\(error)"
      let isNews = state.withLock { state in
        defer { state.failure = Failure(reason: reason, since: state.failure?.since ?? now.wall) }
        state.last = now.sinceBoot
        return state.failure == nil
      }
      if isNews { tell("answers are not kept: \(reason)") }
    }

    /// Notes that something was kept. On a disk that is almost full small answers find room between large ones that
    /// find none: only a while without a failure is news.
    func noteSuccess(at now: ClockReading) {
      let isNews = state.withLock { state in
        guard state.failure != nil, now.sinceBoot - state.last >= Self.calm else { return false }
        state.failure = nil
        return true
      }
      if isNews { tell("answers are kept again") }
    }

    /// In milliseconds.
    private static let calm: Int64 = 10_000
  }
#endif
