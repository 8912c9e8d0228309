internal import Synchronization

/// Sends values to any number of streams. Each stream gets its own selection; the order is the same in all.
///
/// An observer's state decides what its stream gets. Memory is bounded by the buffering policy of each stream.
package final class Multicast<Element: Sendable, Observer: Sendable>: Sendable {
  private struct Entry {
    var observer: Observer
    let continuation: AsyncStream<Element>.Continuation
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  /// Keeps the deliveries in order. Nothing is delivered under the state's lock. The cancellation of a task holds
  /// the task's lock, and waking the task takes that lock too. The end of the task's stream takes the state's lock.
  private let sending = Mutex(())

  package init() {}

  deinit { finish() }

  package var count: Int { state.withLock { $0.entries.count } }

  /// A stream of the later values. A stream that is not live ends after the first value.
  ///
  /// - Parameters:
  ///   - first: Runs under the lock, so that no value falls between the first one and the later ones.
  ///   - onEnd: Runs once the stream of a live observer has ended.
  package func stream(
    for observer: Observer, buffering policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    isLive: Bool = true, onEnd: @escaping @Sendable () -> Void = {},
    first: (inout Observer) -> Element? = { _ in nil }
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let number = state.withLock { state -> Int? in
      var observer = observer
      if let value = first(&observer) { continuation.yield(value) }
      guard isLive, !state.isFinished else { return nil }
      state.lastNumber += 1
      state.entries[state.lastNumber] = Entry(observer: observer, continuation: continuation)
      return state.lastNumber
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.entries.removeValue(forKey: number) }
      onEnd()
    }
    return stream
  }

  /// Sends each observer the value that `select` makes for it.
  ///
  /// - Parameter prepare: Runs first, under the lock; nothing is sent when it returns false.
  package func send(
    preparing prepare: () -> Bool = { true }, _ select: (inout Observer) -> Element?
  ) {
    sending.withLock { _ in
      let deliveries = state.withLock { state in
        var deliveries: [(AsyncStream<Element>.Continuation, Element)] = []
        guard prepare() else { return deliveries }
        // In place: a loop over the dictionary would hold a copy, and each change would copy it anew.
        var index = state.entries.values.startIndex
        while index != state.entries.values.endIndex {
          if let value = select(&state.entries.values[index].observer) {
            deliveries.append((state.entries.values[index].continuation, value))
          }
          state.entries.values.formIndex(after: &index)
        }
        return deliveries
      }
      for (continuation, value) in deliveries { continuation.yield(value) }
    }
  }

  /// One fact of each observer.
  package func facts<Fact: Sendable>(_ fact: (Observer) -> Fact?) -> [Fact] {
    state.withLock { $0.entries.values.compactMap { fact($0.observer) } }
  }

  /// Ends all streams, later ones too.
  package func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      return state.entries.values.map(\.continuation)
    }
    // The end of a stream removes its entry, which takes the lock.
    for continuation in continuations { continuation.finish() }
  }
}
