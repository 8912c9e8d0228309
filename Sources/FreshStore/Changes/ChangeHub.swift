internal import Synchronization

/// Hands committed changes to observers. Memory is bounded: a slow observer loses the oldest
/// changes and learns how many.
package final class ChangeHub: Sendable {
  /// A change and its number among those of one observer: a gap shows how many were dropped.
  private struct Numbered: Sendable {
    let number: Int
    let change: Change
  }

  private struct Observer {
    let collection: ExactName?
    let key: ExactName?
    let continuation: AsyncStream<Numbered>.Continuation
    /// Changes handed to this observer so far.
    var count = 0

    func wants(_ change: Change) -> Bool {
      Self.concerns(change.collection, collection) && Self.concerns(change.key, key)
    }

    private static func concerns(_ name: String?, _ wanted: ExactName?) -> Bool {
      guard let name, let wanted else { return true }
      return ExactName(name) == wanted
    }
  }

  private struct State {
    var observers: [Int: Observer] = [:]
    var next = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  /// Keeps the order of deliveries. Cancelling a task holds a lock that waking it takes too, and
  /// the end of its stream takes the state's lock: so nothing is delivered under the state's lock.
  private let telling = Mutex(())

  deinit {
    finish()
  }

  /// True without observers.
  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  /// Changes of a collection, or of one key of it, from now on, until the iterating task is
  /// cancelled or the store is closed. `leave` is called when the observation ends.
  func changes(
    collection: String?, key: String?, buffering limit: Int, leave: @escaping @Sendable () -> Void
  ) -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Numbered.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
    let number = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      state.next += 1
      state.observers[state.next] = Observer(
        collection: collection.map(ExactName.init), key: key.map(ExactName.init),
        continuation: continuation)
      return state.next
    }
    if let number {
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
        leave()
      }
    } else {
      continuation.finish()
    }
    let last = Atomic<Int>(0)
    return AsyncStream {
      var next = stream.makeAsyncIterator()
      guard let numbered = await next.next() else { return nil }
      var change = numbered.change
      change.missed =
        numbered.number - last.exchange(numbered.number, ordering: .relaxed) - 1
      return change
    }
  }

  /// Tells the observers of a change; called after its commit.
  package func publish(_ change: Change) {
    telling.withLock { _ in
      let told = state.withLock { state in
        var told: [(AsyncStream<Numbered>.Continuation, Numbered)] = []
        for (number, observer) in state.observers where observer.wants(change) {
          state.observers[number]?.count += 1
          told.append(
            (observer.continuation, Numbered(number: observer.count + 1, change: change)))
        }
        return told
      }
      for (continuation, numbered) in told { continuation.yield(numbered) }
    }
  }

  /// Counts changes as missed by every observer: it is no longer known which observers they concerned.
  func skip(_ count: Int) {
    state.withLock { state in
      for number in state.observers.keys { state.observers[number]?.count += count }
    }
  }

  /// Ends every observation.
  func finish() {
    let observers = state.withLock { state in
      state.isFinished = true
      defer { state.observers = [:] }
      return state.observers.values.map(\.continuation)
    }
    for continuation in observers { continuation.finish() }
  }
}
