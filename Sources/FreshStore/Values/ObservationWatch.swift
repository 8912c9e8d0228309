internal import Strategies

/// Listens for whatever may change the observed records; stops when it is released.
final class ObservationWatch: Sendable {
  let news: NewsSignal
  private let listeners: [Task<Void, Never>]

  /// Begins to listen: whatever is committed from the return on is news.
  ///
  /// - Parameter key: `nil` for all of the collection.
  init(_ store: Store, collection: String, key: String?, followsReachability: Bool) {
    let news = NewsSignal()
    // One is enough: every kind of change, or a gap between them, is a reason to look.
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

  /// Of all states only a proof of being offline changes a decision.
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
