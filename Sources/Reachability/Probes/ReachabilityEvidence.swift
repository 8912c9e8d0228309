public import Strategies

/// What a program's own fetches say of the way to a source, for free.
///
/// A kernel proves at best that there is no way; that a way leads to the source only a fetch can
/// tell. A success makes a way ``Reachability/validated`` for ``lifetime``. A fetch that nobody
/// answered, or that found no network, makes it ``Reachability/suspected(_:)`` until one succeeds.
/// What failed later than that, in TLS or HTTP, was answered by somebody and is not to be noted
/// here.
///
/// While a way is suspected, one attempt is let through and then none for a random time below a
/// limit that doubles from 1 s to 60 s: whoever has something to serve meanwhile need not wait for
/// another timeout (``pause(at:generation:)``, ``admit(at:generation:)``).
///
/// Evidence belongs to the network it was found in: with another
/// ``ReachabilityProvider/generation`` it is void, because a new network is a new chance.
///
/// Moments are times on a clock of the caller's that only goes forward, as durations since any
/// fixed moment.
public struct ReachabilityEvidence: Sendable, Hashable {
  /// How long a success speaks for the way.
  public static let lifetime: Duration = .seconds(60)

  /// A fetch under way, as far as evidence goes.
  public struct Attempt: Sendable, Hashable {
    /// When it began.
    public let began: Duration
    /// The network it began in.
    public let generation: UInt64

    /// Creates an attempt that begins now.
    public init(at now: Duration, generation: UInt64) {
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
    var nextAttempt: Duration
  }

  private var finding: Finding?
  private var generation: UInt64 = 0

  /// Creates evidence of nothing.
  public init() {}

  /// Notes a fetch that reached the source.
  public mutating func noteSuccess(of attempt: Attempt, at now: Duration) {
    guard concernsThisNetwork(attempt) else { return }
    finding = .success(at: now)
    generation = attempt.generation
  }

  /// Notes a fetch that did not reach the source; `random` in 0 ..< 1 spreads the next attempt.
  ///
  /// Of fetches that ran side by side the first failure counts: the others say the same once more.
  public mutating func noteFailure(
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
        count: count, cause: cause, at: now,
        nextAttempt: now + AttemptBackoff.pause(afterFailures: count, random: random)))
    generation = attempt.generation
  }

  /// The state a provider gave, made more exact by the evidence. A proof of being offline stands
  /// whatever was fetched before.
  public func refine(
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

  /// How long until the next attempt is due; `nil` when nothing speaks against one now.
  public func pause(at now: Duration, generation: UInt64) -> Duration? {
    guard generation == self.generation, case .failure(let failure) = finding,
      now < failure.nextAttempt
    else { return nil }
    return failure.nextAttempt - now
  }

  /// Lets an attempt through when one is due; on a suspected way that puts the next one off, so that
  /// one at a time tries and an attempt that never ends holds up nobody for ever.
  public mutating func admit(at now: Duration, generation: UInt64) -> Bool {
    guard pause(at: now, generation: generation) == nil else { return false }
    if generation == self.generation, case .failure(var failure) = finding {
      failure.nextAttempt = now + AttemptBackoff.limit(afterFailures: failure.count)
      finding = .failure(failure)
    }
    return true
  }

  /// A fetch that began in a network of the past says nothing of the present one.
  private func concernsThisNetwork(_ attempt: Attempt) -> Bool {
    finding == nil || attempt.generation >= generation
  }
}
