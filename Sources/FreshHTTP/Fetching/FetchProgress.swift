internal import Synchronization

/// The progress of a fetch, or of a push, that may be abandoned at any time.
final class FetchProgress: Sendable {
  private struct State {
    var address: HTTPAddress
    var awaitsCredentials = false
  }

  private let state: Mutex<State>

  init(_ first: HTTPAddress) { state = Mutex(State(address: first)) }

  /// The address that was requested last.
  var address: HTTPAddress { state.withLock(\.address) }

  /// True while it waits for the application to hand out or to renew credentials: that time is not the origin's
  /// silence.
  var awaitsCredentials: Bool { state.withLock(\.awaitsCredentials) }

  /// Notes an address that is about to be requested.
  func note(_ address: HTTPAddress) { state.withLock { $0.address = address } }

  /// Waits for credentials.
  func awaitingCredentials<Result>(
    _ work: () async throws(HTTPFetchError) -> Result
  ) async throws(HTTPFetchError) -> Result {
    state.withLock { $0.awaitsCredentials = true }
    defer { state.withLock { $0.awaitsCredentials = false } }
    return try await work()
  }
}
