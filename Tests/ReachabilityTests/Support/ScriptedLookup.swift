import Strategies
import Synchronization
import Testing

@testable import Reachability

/// A lookup of hosts that the test answers when it wants to.
final class ScriptedLookup: Sendable {
  private struct State {
    var timesAsked = 0
    var waiting: [@Sendable (HostLookup.Answer) -> Void] = []
  }

  private let state = Mutex(State())

  /// The number of lookups that have started.
  var timesAsked: Int { state.withLock { $0.timesAsked } }

  /// Starts a lookup that ends when the test answers it.
  func begin(_ host: String, _ deliver: @escaping @Sendable (HostLookup.Answer) -> Void) {
    state.withLock {
      $0.timesAsked += 1
      $0.waiting.append(deliver)
    }
  }

  /// Ends the lookup in flight.
  func answer(_ addresses: IPAddress...) throws { try end(with: .success(addresses)) }

  /// Ends the lookup in flight without an address.
  func fail() throws { try end(with: .failure(.notFound("origin.example", "no such host"))) }

  private func end(with answer: HostLookup.Answer) throws {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    // A monitor may have one lookup at a time.
    try #require(waiting.count == 1)
    waiting[0](answer)
  }
}
