#if CommandLine
  internal import FreshStore
  internal import Synchronization

  /// Counts changes by kind between one look and the next.
  final class ChangeMeter: Sendable {
    /// The changes since the previous look.
    struct Reading: Sendable {
      var counts: [Change.Kind: Int] = [:]
      /// Changes that were missed uncounted.
      var missed = 0
      /// The time they took.
      var seconds = 0.0
    }

    private struct State {
      var reading = Reading()
      var last: Reading?
      var since = ContinuousClock.now
      var total = 0
    }

    private static let shortest: Duration = .milliseconds(90)
    private let state = Mutex(State())

    /// The number of changes so far: counts from before a change of this number are out of date.
    var total: Int { state.withLock { $0.total } }

    func count(_ change: Change) {
      state.withLock { state in
        state.reading.counts[change.kind, default: 0] += 1
        state.reading.missed += change.missed
        state.total += 1
      }
    }

    /// Takes the counts out. A look right after another gets the same answer: a rate over a moment
    /// would mean nothing.
    func take() -> Reading {
      state.withLock { state in
        let now = ContinuousClock.now
        if let last = state.last, now - state.since < Self.shortest { return last }
        var reading = state.reading
        reading.seconds = max(0.001, (now - state.since) / .seconds(1))
        state.reading = Reading()
        state.last = reading
        state.since = now
        return reading
      }
    }
  }
#endif
