internal import Synchronization

/// Whether requests are refused for want of connections to origins, as operators are told: once when that begins, and once
/// when it is over.
final class ConnectionShortage: Sendable {
  private struct State {
    /// What operators have been told.
    var isTold = false
    /// When the last was refused, in milliseconds since the machine started.
    var refusedAt: Int64 = 0
  }

  private let state = Mutex(State())

  /// How long none must have been refused, in milliseconds: any client may bring it about.
  private static let calm: Int64 = 60_000

  /// What operators are to be told of a request that is refused; `nil` where they know.
  ///
  /// - Parameter now: In milliseconds since the machine started.
  func refuse(_ reason: String, at now: Int64) -> String? {
    state.withLock { state in
      state.refusedAt = now
      guard !state.isTold else { return nil }
      state.isTold = true
      return "requests are refused for want of connections to the origin: \(reason)"
    }
  }

  /// The same of a request that has had a connection.
  func serve(at now: Int64) -> String? {
    state.withLock { state in
      guard state.isTold, now - state.refusedAt >= Self.calm else { return nil }
      state.isTold = false
      return "no requests are refused for want of connections any longer"
    }
  }
}
