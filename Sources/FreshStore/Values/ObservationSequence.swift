internal import Strategies

/// The states of an observed record or collection, one after the other.
///
/// ``RecordCollection/observe(_:policy:)`` and its companions make it. The first element is the present state and comes
/// at once; the next one comes when the state is another. A slow observer gets the newest state, never a backlog.
///
/// The sequence ends when the task is cancelled or the store is closed, and stops listening when its iterator is
/// released. Each iterator observes by itself.
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
  let clock: any StoreClock
  /// The shortest time between two elements.
  let pause: Duration
  let begin: @Sendable () -> ObservationWatch
  /// `nil` when the store is closed.
  let look: @Sendable (_ last: Element?) -> ObservedLook<Element>?

  /// Begins with the present state.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for the states.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: ObservationSequence
    private var watch: ObservationWatch?
    private var last: Element?
    private var lookedAt: ClockReading?
    private var again: Duration?
    private var isOver = false

    init(_ sequence: ObservationSequence) { self.sequence = sequence }

    /// The next state; `nil` when the task is cancelled or the store is closed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      guard !isOver else { return nil }
      let watch: ObservationWatch
      if let begun = self.watch {
        watch = begun
      } else {
        watch = await Self.begun(sequence)
        self.watch = watch
      }
      while await watch.news.take(notBefore: earliest, notAfter: again, clock: sequence.clock) {
        guard let look = await Self.looked(sequence, last) else { break }
        again = look.again
        lookedAt = sequence.clock.reading()
        if let news = look.news {
          last = news
          return news
        }
      }
      isOver = true
      self.watch = nil
      last = nil
      return nil
    }

    /// The time since boot before which there must be no further look; `nil` when it has passed.
    private var earliest: Duration? {
      guard sequence.pause > .zero, let lookedAt else { return nil }
      let now = sequence.clock.reading()
      let moment = Duration.milliseconds(lookedAt.sinceBoot) + sequence.pause
      let isToCome = Duration.milliseconds(now.sinceBoot) < moment
      // After a restart the moment means nothing.
      return isToCome && now.boot == lookedAt.boot ? moment : nil
    }

    // Both functions read the file, and the first observer of a store writes to it. So they run off the
    // caller's thread, which may be the one of the screen.

    @concurrent private static func begun(
      _ sequence: ObservationSequence
    ) async -> ObservationWatch {
      sequence.begin()
    }

    @concurrent private static func looked(
      _ sequence: ObservationSequence, _ last: Element?
    ) async -> ObservedLook<Element>? {
      sequence.look(last)
    }
  }
}

/// Listens for events that may change the observed records; stops when it is released.
final class ObservationWatch: Sendable {
  let news: NewsSignal
  private let listeners: [Task<Void, Never>]

  /// Begins to listen: every commit after the return is news.
  ///
  /// - Parameter key: The key to observe; `nil` for all of the collection.
  init(_ store: Store, collection: String, key: String?, followsReachability: Bool) {
    let news = NewsSignal()
    // A buffer of one is enough: every kind of change, or a gap between changes, is a reason to look.
    let changes = store.changes(collection: collection, key: key, buffering: 1)
    var listeners = [
      Task {
        for await _ in changes { news.set() }
        news.end()
      }
    ]
    if followsReachability,
      let provider = store.configuration.reachability as? any ObservableReachability
    {
      listeners.append(Self.listen(to: provider, news))
    }
    self.news = news
    self.listeners = listeners
  }

  deinit {
    for listener in listeners { listener.cancel() }
  }

  /// Listens to a provider. Of its states, only a proof of being offline changes a decision.
  private static func listen(
    to provider: some ObservableReachability, _ news: NewsSignal
  ) -> Task<Void, Never> {
    let begin = provider.reachability().isProvablyOffline
    return Task {
      var wasOffline = begin
      for await state in provider.changes(settle: .zero) {
        guard state.isProvablyOffline != wasOffline else { continue }
        wasOffline.toggle()
        news.set()
      }
    }
  }
}
