#if HTTP
  internal import Synchronization

  /// How the content of a request goes on, which has two ends: an origin that takes nothing for too long has
  /// failed, one that is sent nothing has not.
  final class UploadPace: Sendable {
    /// The origin takes nothing.
    struct Stalled: Error {}

    private struct State {
      /// Since when the origin has not asked for more; `nil` while it waits for a part.
      var handedAt: ContinuousClock.Instant?
      /// True while it waits for a part.
      var isAwaiting = false
      var isBroken = false
      var hasBegun = false
    }

    private let state = Mutex(State())

    /// True when the content came to no end: whatever becomes of the request is not the origin's fault.
    var isBroken: Bool { state.withLock(\.isBroken) }

    /// True once a part was asked for.
    var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// True while the origin waits for a part: where it ends the connection, it may have waited for too long.
    var isAwaiting: Bool { state.withLock(\.isAwaiting) }

    /// A part is asked for: all before it was taken.
    func ask() {
      state.withLock { ($0.handedAt, $0.isAwaiting, $0.hasBegun) = (nil, true, true) }
    }

    /// A part is on its way. After the last one the origin is no longer waited for here.
    func hand(isLast: Bool) {
      state.withLock { ($0.handedAt, $0.isAwaiting) = (isLast ? nil : ContinuousClock.now, false) }
    }

    func breakOff() { state.withLock { $0.isBroken = true } }

    /// Throws ``Stalled`` once the origin has taken nothing of a part for that long.
    func watch(_ limit: Duration) async throws {
      while true {
        let handedAt = state.withLock(\.handedAt)
        let now = ContinuousClock.now
        if let handedAt, now - handedAt >= limit { throw Stalled() }
        try await Task.sleep(until: (handedAt ?? now) + limit, clock: .continuous)
      }
    }
  }
#endif
