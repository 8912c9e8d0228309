/// How hard a ``Synchronizer`` works, and how it behaves when the network comes and goes.
public struct SyncOptions: Sendable {
  /// The most fetches and pushes at once.
  public var concurrency = 8
  /// The most at once to one origin: that of the collection's policy, else scheme, host and port of
  /// the record's source, else the collection as a whole.
  public var concurrencyPerOrigin = 4
  /// The most that begin in a second, evenly spread; `nil` for no limit.
  public var startsPerSecond: Double?
  /// How long the network must have been back before anything is sent over it. It doubles with each
  /// further return within a minute, up to ``longestSettle``, so that a network that comes and goes
  /// is not met by a storm each time.
  public var settle: Duration = .milliseconds(25)
  /// The longest wait for the network to settle.
  public var longestSettle: Duration = .seconds(10)
  /// How long a source may be provably out of reach before the fetches and pushes that are under way
  /// to it are given up, to be begun anew when the network is back. A shorter gap they ride out.
  public var outage: Duration = .seconds(1)
  /// How long a record or a write is handed out: what a process has in its hands that hangs comes up
  /// again after that, and what it had that was killed at once. Should be longer than the hard timeouts
  /// of the policies.
  public var holding: Duration = .seconds(60)
  /// How long work under way may go on after the wish to stop; then it is cancelled.
  public var gracePeriod: Duration = .seconds(10)
  /// How often the network is looked at while it is away, where the store's reachability provider
  /// cannot tell of changes (see `ObservableReachability`).
  public var reachabilityInterval: Duration = .seconds(1)
  /// The longest sleep. Nothing is missed without it but what a wall clock that is set forward makes
  /// due, and what another process makes due where its commits are not seen.
  public var longestSleep: Duration = .seconds(300)

  /// The defaults: 8 at once, 4 to one origin.
  public init() {}
}
