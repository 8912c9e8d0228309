import Strategies
import Testing

@testable import FreshStore

/// A task is cancelled under a lock that waking it takes too: the sender of a change and the canceller
/// of an observer must not wait for each other.
@Suite struct CancelledObserverTests {
  @Test(.timeLimit(.minutes(5)))
  func `an observer cancelled during a delivery causes no deadlock`() async {
    let hub = ChangeHub()
    let change = Change(kind: .stored, collection: "articles", key: "1")
    for _ in 0..<1000 {
      let observer = Task {
        for await _ in hub.changes(collection: nil, key: nil, buffering: 8, leave: {}) {}
      }
      while hub.isEmpty { await Task.yield() }
      async let told: Void = Self.tell(hub, change)
      observer.cancel()
      await told
      await observer.value
    }
    #expect(hub.isEmpty)
  }

  @concurrent private static func tell(_ hub: ChangeHub, _ change: Change) async {
    for _ in 0..<4 { hub.publish(change) }
  }
}
