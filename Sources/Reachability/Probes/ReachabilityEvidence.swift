package import Strategies

/// The evidence of a program's own fetches about the path to a source, at no cost.
///
/// A kernel can at best prove that there is no path; only a fetch can prove that a path leads to the source. A
/// success makes a path ``Reachability/validated`` for ``lifetime``. A fetch without an answer or without a network
/// makes it ``Reachability/suspected(_:)`` until a fetch succeeds. A later failure, in TLS or HTTP, must not be
/// noted here, because some host has answered.
///
/// While a path is suspected, one attempt may begin, and then none for a random time below a limit. The limit
/// doubles from 1 s to 60 s. So a caller with a copy to serve need not wait for another timeout
/// (``pause(at:generation:)``, ``admit(at:generation:)``).
///
/// Evidence belongs to the network in which it was found. With another ``ReachabilityProvider/generation`` it is
/// void, because a new network is a new chance.
///
/// Moments are durations since any fixed moment of the caller's monotonic clock.
package struct ReachabilityEvidence: Sendable, Hashable {
  /// The time for which a success validates the path.
  static let lifetime: Duration = .seconds(60)

  /// A fetch in flight, as the evidence sees it.
  package struct Attempt: Sendable, Hashable {
    /// The moment at which it began.
    let began: Duration
    /// The network in which it began.
    let generation: UInt64

    package init(at now: Duration, generation: UInt64) {
      began = now
      self.generation = generation
    }
  }

  private enum Finding: Sendable, Hashable {
    case success(at: Duration)
    case failure(Failure)
  }

  private struct Failure: Sendable, Hashable {
    var count: Int
    var cause: String
    var at: Duration
    /// When the pause before the next attempt began.
    var pausedSince: Duration
    var nextAttempt: Duration
  }

  private var finding: Finding?
  private var generation: UInt64 = 0

  package init() {}

  /// Notes a fetch that reached the source.
  package mutating func noteSuccess(of attempt: Attempt, at now: Duration) {
    guard concernsThisNetwork(attempt) else { return }
    finding = .success(at: now)
    generation = attempt.generation
  }

  /// Notes a fetch that did not reach the source. `random` in 0 ..< 1 spreads the next attempt.
  ///
  /// The first failure of concurrent fetches counts; the others only repeat it.
  package mutating func noteFailure(
    _ cause: String, of attempt: Attempt, at now: Duration, random: Double
  ) {
    guard concernsThisNetwork(attempt) else { return }
    var count = 0
    if attempt.generation == generation {
      switch finding {
      case .success(let moment) where attempt.began < moment: return
      case .failure(let failure) where attempt.began < failure.at: return
      case .failure(let failure): count = failure.count
      case .success, nil: break
      }
    }
    count += 1
    finding = .failure(
      Failure(
        count: count, cause: cause, at: now, pausedSince: now,
        nextAttempt: now + AttemptBackoff.pause(afterFailures: count, random: random)))
    generation = attempt.generation
  }

  /// A provider's state, refined by the evidence. Earlier fetches do not change a proof of being offline.
  package func refine(
    _ reachability: Reachability, at now: Duration, generation: UInt64
  ) -> Reachability {
    guard !reachability.isProvablyOffline, generation == self.generation else {
      return reachability
    }
    switch finding {
    case .success(let moment) where now - moment < Self.lifetime: return .validated
    case .failure(let failure) where failure.count == 1: return .suspected(failure.cause)
    case .failure(let failure):
      return .suspected("\(failure.count) failures, last \(failure.cause)")
    case .success, nil: return reachability
    }
  }

  /// The time until the next attempt is due; `nil` when one may begin now.
  ///
  /// - Parameter longest: The longest pause for the caller; `nil` for no limit.
  package func pause(
    at now: Duration, generation: UInt64, atMost longest: Duration? = nil
  ) -> Duration? {
    guard generation == self.generation, case .failure(let failure) = finding else { return nil }
    var end = failure.nextAttempt
    if let longest { end = min(end, failure.pausedSince + longest) }
    return now < end ? end - now : nil
  }

  /// Admits an attempt when one is due. On a suspected path that postpones the next attempt. So attempts run one at
  /// a time, and an attempt that never ends does not block the others for ever.
  package mutating func admit(
    at now: Duration, generation: UInt64, atMost longest: Duration? = nil
  ) -> Bool {
    guard pause(at: now, generation: generation, atMost: longest) == nil else { return false }
    if generation == self.generation, case .failure(var failure) = finding {
      failure.pausedSince = now
      failure.nextAttempt = now + AttemptBackoff.limit(afterFailures: failure.count)
      finding = .failure(failure)
    }
    return true
  }

  /// A fetch that began in an earlier network says nothing about the present one.
  private func concernsThisNetwork(_ attempt: Attempt) -> Bool {
    finding == nil || attempt.generation >= generation
  }
}

/// The pauses between connection attempts, below a limit that doubles from 1 s to 60 s.
enum AttemptBackoff {
  private static let first: Duration = .seconds(1)
  private static let longest: Duration = .seconds(60)

  /// The longest pause after so many failures in a row. Without a failure, and after a success, it is the maximum.
  static func limit(afterFailures failures: Int) -> Duration {
    guard failures > 0 else { return longest }
    // The limit reaches sixty seconds long before the shift could overflow.
    return min(first * (1 << min(failures - 1, 6)), longest)
  }

  /// A pause after so many failures in a row. `random` in 0 ..< 1 spreads it over the whole time up to the limit,
  /// so that hosts that failed together do not try again together.
  static func pause(afterFailures failures: Int, random: Double) -> Duration {
    limit(afterFailures: failures) * random
  }
}
