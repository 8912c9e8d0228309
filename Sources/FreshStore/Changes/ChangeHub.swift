internal import Platform
internal import Synchronization

/// Hands committed changes to observers. Memory is bounded: a slow observer loses the oldest
/// changes and learns how many.
package final class ChangeHub: Sendable {
  /// A change and its number among those of one observer: a gap shows how many were dropped.
  private struct Numbered: Sendable {
    let number: Int
    let change: Change
  }

  private struct Observer: Sendable {
    let collection: ExactName?
    let key: ExactName?
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

  private let observers = Multicast<Numbered, Observer>()

  /// True without observers.
  var isEmpty: Bool { observers.count == 0 }

  /// Changes of a collection, or of one key of it, from now on, until the iterating task is
  /// cancelled or the store is closed. `leave` is called when the observation ends.
  func changes(
    collection: String?, key: String?, buffering limit: Int, leave: @escaping @Sendable () -> Void
  ) -> AsyncStream<Change> {
    let stream = observers.stream(
      for: Observer(collection: collection.map(ExactName.init), key: key.map(ExactName.init)),
      buffering: .bufferingNewest(max(1, limit)), onEnd: leave)
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

  /// Tells the observers of a change; called after its commit, in the order of commits.
  package func publish(_ change: Change) {
    observers.send { observer in
      guard observer.wants(change) else { return nil }
      observer.count += 1
      return Numbered(number: observer.count, change: change)
    }
  }

  /// Counts changes as missed by every observer: it is no longer known which observers they concerned.
  func skip(_ count: Int) {
    observers.send { observer in
      observer.count += count
      return nil
    }
  }

  /// Ends every observation.
  func finish() { observers.finish() }
}
