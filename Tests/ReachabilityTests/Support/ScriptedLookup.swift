import Strategies
import Synchronization
import Testing

@testable import Reachability

/// A lookup of hosts whose answers a test gives when it wants to.
final class ScriptedLookup: Sendable {
  private struct State {
    var timesAsked = 0
    var waiting: [@Sendable (HostLookup.Answer) -> Void] = []
  }

  private let state = Mutex(State())

  /// How many lookups were begun.
  var timesAsked: Int { state.withLock { $0.timesAsked } }

  /// Begins a lookup that ends when the test answers it.
  func begin(_ host: String, _ deliver: @escaping @Sendable (HostLookup.Answer) -> Void) {
    state.withLock {
      $0.timesAsked += 1
      $0.waiting.append(deliver)
    }
  }

  /// Ends the lookup under way.
  func answer(_ addresses: IPAddress...) throws { try end(with: .success(addresses)) }

  /// Ends the lookup under way without an address.
  func fail() throws { try end(with: .failure(.notFound("origin.example", "no such host"))) }

  private func end(with answer: HostLookup.Answer) throws {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    // One at a time is what a monitor may have.
    try #require(waiting.count == 1)
    waiting[0](answer)
  }
}
