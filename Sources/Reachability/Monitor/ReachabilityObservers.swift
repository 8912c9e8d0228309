internal import Platform
internal import Strategies

/// The observers of changes, each with its own patience.
final class ReachabilityObservers: Sendable {
  private let observers = Multicast<Reachability, SettledReachability>()

  /// True when there are no observers.
  var isEmpty: Bool { observers.count == 0 }

  /// The next moment at which ``tell(_:generation:at:)`` has something to do without a further event.
  var due: ContinuousClock.Instant? { observers.facts(\.due).min() }

  /// A stream that begins with the present state and keeps only the newest unread one; a stream
  /// that is not live ends there, because no change would be reported.
  func stream(
    settle: Duration, isLive: Bool, present: () -> (state: Reachability, generation: UInt64)
  ) -> AsyncStream<Reachability> {
    observers.stream(
      for: SettledReachability(settle: settle), buffering: .bufferingNewest(1), isLive: isLive,
      first: { settled in
        let (present, generation) = present()
        return settled.note(present, generation: generation, at: .now)
      })
  }

  /// Reports the state to the observers, to each when its patience allows.
  func tell(
    _ reachability: Reachability, generation: UInt64, at now: ContinuousClock.Instant
  ) {
    observers.send { settled in
      settled.note(reachability, generation: generation, at: now) ?? settled.ripe(at: now)
    }
  }

  /// Ends all streams, later ones too.
  func finish() { observers.finish() }
}
