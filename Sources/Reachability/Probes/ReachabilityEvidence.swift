package import Strategies

/// The evidence of a program's own fetches about the path to a source, at no cost.
///
/// A kernel can at best prove that there is no path; only a fetch can prove that one leads to the
/// source. A success makes a path ``Reachability/validated`` for ``lifetime``. A fetch without an
/// answer or without a network makes it ``Reachability/suspected(_:)`` until one succeeds. A later
/// failure, in TLS or HTTP, was answered by some host and is not to be noted here.
///
/// While a path is suspected, one attempt is let through and then none for a random time below a
/// limit that doubles from 1 s to 60 s: a caller with something to serve meanwhile need not wait
/// for another timeout (``pause(at:generation:)``, ``admit(at:generation:)``).
///
/// Evidence belongs to the network it was found in: with another
/// ``ReachabilityProvider/generation`` it is void, because a new network is a new chance.
///
/// Moments are durations since any fixed moment on a monotonic clock of the caller's.
package struct ReachabilityEvidence: Sendable, Hashable {
  /// The time for which a success validates the path.
  package static let lifetime: Duration = .seconds(60)

  /// A fetch under way, as the evidence sees it.
  package struct Attempt: Sendable, Hashable {
    /// When it began.
    package let began: Duration
    /// The network it began in.
    package let generation: UInt64

    /// Creates an attempt that begins now.
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

  /// Creates empty evidence.
  package init() {}

  /// Notes a fetch that reached the source.
  package mutating func noteSuccess(of attempt: Attempt, at now: Duration) {
    guard concernsThisNetwork(attempt) else { return }
    finding = .success(at: now)
    generation = attempt.generation
  }

  /// Notes a fetch that did not reach the source; `random` in 0 ..< 1 spreads the next attempt.
  ///
  /// Of concurrent fetches the first failure counts: the others only repeat it.
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

  /// A provider's state, refined by the evidence. A proof of being offline stands regardless of
  /// earlier fetches.
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
  /// - Parameter longest: The longest pause for the caller; `nil` for no limit of its own.
  package func pause(
    at now: Duration, generation: UInt64, atMost longest: Duration? = nil
  ) -> Duration? {
    guard generation == self.generation, case .failure(let failure) = finding else { return nil }
    var end = failure.nextAttempt
    if let longest { end = min(end, failure.pausedSince + longest) }
    return now < end ? end - now : nil
  }

  /// Lets an attempt through when one is due; on a suspected path that postpones the next one, so
  /// that attempts run one at a time and one that never ends does not block the others for ever.
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

/// The pauses between connection attempts: below a limit that doubles from 1 s to 60 s.
enum AttemptBackoff {
  private static let first: Duration = .seconds(1)
  private static let longest: Duration = .seconds(60)

  /// The longest pause after so many failures in a row; after none, as after a success, the
  /// maximum.
  static func limit(afterFailures failures: Int) -> Duration {
    guard failures > 0 else { return longest }
    // Sixty seconds are reached long before the shift could overflow.
    return min(first * (1 << min(failures - 1, 6)), longest)
  }

  /// A pause after so many failures in a row; `random` in 0 ..< 1 spreads it over the whole time up
  /// to the limit, so that many hosts that failed together do not try again together.
  static func pause(afterFailures failures: Int, random: Double) -> Duration {
    limit(afterFailures: failures) * random
  }
}
