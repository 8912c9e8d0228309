internal import Strategies
internal import Synchronization

/// The breakers of origins whose failures the file does not take, as that of a store that only reads. They live in
/// memory, for this store.
final class UnwrittenBreakers: Sendable {
  private struct Breaker {
    var failures = 0
    /// The time since boot.
    var openUntil = Duration.zero
  }

  /// More origins than a program asks; beyond it all begin anew.
  private static let capacity = 1024

  private let breakers = Mutex<[String: Breaker]>([:])

  /// Admits an attempt, `nil`, or returns the pause; after each pause one attempt is admitted.
  func admit(_ origin: OriginGuard, at now: ClockReading) -> AttemptPause? {
    let moment = Duration.milliseconds(now.sinceBoot)
    return breakers.withLock { breakers in
      guard let breaker = breakers[origin.name], breaker.failures >= origin.policy.threshold else {
        return nil
      }
      let left = breaker.openUntil - moment
      if left > .zero, left <= origin.policy.longest {
        return origin.pause(until: now.wall.advanced(by: left))
      }
      breakers[origin.name]?.openUntil = moment + origin.policy.minimumPause
      return nil
    }
  }

  /// Counts a failure, or closes the breaker after an answer.
  func note(_ verdict: OriginVerdict, at origin: OriginGuard, now: ClockReading) {
    breakers.withLock { breakers in
      switch verdict {
      case .unknown: break
      case .answered: breakers[origin.name] = nil
      case .failed(let blame):
        if breakers[origin.name] == nil, breakers.count >= Self.capacity { breakers = [:] }
        var breaker = breakers[origin.name] ?? Breaker()
        breaker.failures += 1
        let own = origin.policy.pause(afterFailures: breaker.failures, random: origin.random)
        let pause = min(max(own, blame.namedPause ?? .zero), origin.policy.longest)
        breaker.openUntil = Duration.milliseconds(now.sinceBoot) + pause
        breakers[origin.name] = breaker
      }
    }
  }

  /// Forgets the failures of an origin, or of all.
  func forget(_ origin: Origin?) {
    breakers.withLock { breakers in
      if let origin { breakers[origin.name] = nil } else { breakers = [:] }
    }
  }
}

extension BreakerPolicy {
  /// The longest of all pauses.
  fileprivate var longest: Duration { max(maximumPause, longestNamedPause) }
}
