public import Rules
public import Strategies

/// The reason why a fetch has no result that could be stored.
public struct FetchFailure: Error, Sendable {
  /// The kinds of failure.
  public enum Code: Sendable, Hashable {
    /// The fetch threw; see ``FetchFailure/underlying``.
    case thrown
    /// The fetch took longer than its hard timeout.
    case timedOut(after: Duration)
    /// The fetched value breaks its rules.
    case refused(Report)
    /// The fetched value cannot be stored: it cannot be encoded, or is too large.
    case notStorable
    /// The source answered "not modified" although there is no copy.
    case notModifiedWithoutCopy
    /// The batch fetch returned nothing for this key.
    case notAnswered
    /// The source is provably unreachable: no attempt was made.
    case offline
    /// The origin's breaker is open: no attempt was made.
    case originIsDown(until: Timestamp)
    /// The last attempt failed a moment ago, or the source asked for a pause, which is not over: no attempt was made.
    case pausing(until: Timestamp)
    /// Work with the origin is held until the application releases it (``Store/hold(_:because:)``).
    /// No attempt was made, or the attempt found that no user is signed in.
    case held
    /// All callers have stopped waiting.
    case cancelled
  }

  /// The kind of failure.
  public let code: Code
  /// The failure, in words.
  public let message: String
  /// The error that the fetch threw.
  public let underlying: (any Error)?
  /// True for a pause of only one record, not of its source.
  package private(set) var isOfOneRecord = false

  /// The traits of the error, read once: they are code of the user, which must not run in a transaction.
  private let traits: Traits?

  private struct Traits: Sendable {
    let blamesOrigin, isUnreachable, wasAnswered, needsSignIn: Bool
    let retryAfter: Duration?
  }

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
    traits = (underlying as? any FetchErrorTraits).map { error in
      Traits(
        blamesOrigin: error.blamesOrigin, isUnreachable: error.isUnreachable,
        wasAnswered: error.wasAnswered, needsSignIn: error.needsSignIn,
        retryAfter: error.retryAfter)
    }
  }
}

extension FetchFailure: CustomStringConvertible {
  /// The failure, in words.
  public var description: String { message }
}

extension FetchFailure {
  /// True when the origin is to blame, so that its breaker counts the failure.
  var blamesOrigin: Bool {
    switch code {
    case .thrown: traits?.blamesOrigin ?? false
    case .timedOut: true
    default: false
    }
  }

  /// True when there was no answer, so that the route to the source is suspect.
  /// A fetch that timed out counts: most closures have no other means to report a silent network.
  var isUnreachable: Bool {
    switch code {
    case .thrown: traits?.isUnreachable ?? false
    case .timedOut: true
    default: false
    }
  }

  /// True when the source was not asked because of a pause after earlier failures.
  var isPause: Bool {
    switch code {
    case .pausing, .originIsDown: true
    // The source, or the service that signs in to it, was asked.
    case .held: underlying == nil
    default: false
    }
  }

  /// True when no user is signed in at the source.
  var needsSignIn: Bool { code == .thrown && traits?.needsSignIn == true }

  /// True when the failure tells nothing about the source, so that nothing is noted.
  var isNoVerdict: Bool { code == .cancelled || code == .held }

  /// The failure, in the words of the error itself.
  var cause: String { underlying.map { "\($0)" } ?? message }

  /// The pause that the source asked for.
  var retryAfter: Duration? { traits?.retryAfter }

  /// The verdict for the origin's breaker.
  var verdict: OriginVerdict {
    if blamesOrigin { return .failed(OriginBlame(message: message, namedPause: namedPause)) }
    switch code {
    case .thrown: return traits?.wasAnswered ?? false ? .answered : .unknown
    case .offline, .originIsDown, .pausing, .held, .cancelled: return .unknown
    case .timedOut, .refused, .notStorable, .notModifiedWithoutCopy, .notAnswered: return .answered
    }
  }

  /// The pause of the source, given the policy's own pause.
  func pause(own: Duration) -> FailurePause { FailurePause(named: namedPause, own: own) }

  /// ``retryAfter``, within the limit of any pause.
  private var namedPause: Duration? {
    retryAfter.map { min(max(.zero, $0), Backoff.longestNamed) }
  }

  static let cancelled = FetchFailure(.cancelled, "the fetch was cancelled")

  static func tookTooLong(_ limit: Duration, _ work: String = "fetch") -> FetchFailure {
    FetchFailure(.timedOut(after: limit), "the \(work) took longer than \(limit.brief)")
  }

  static func isFetchedElsewhere(_ limit: Duration) -> FetchFailure {
    FetchFailure(
      .timedOut(after: limit), "another owner was fetching it and was not done after \(limit.brief)"
    )
  }

  static let notModifiedWithoutCopy = FetchFailure(
    .notModifiedWithoutCopy, "the source says \"not modified\", but there is no copy")

  static func notAnswered(_ key: String) -> FetchFailure {
    FetchFailure(.notAnswered, "the fetch brought nothing for the key '\(key)'")
  }

  static func refused(_ report: Report) -> FetchFailure {
    FetchFailure(.refused(report), "the fetched value breaks its rules: \(report)")
  }

  static func offline(_ cause: String) -> FetchFailure {
    FetchFailure(
      .offline, "the source is provably out of reach (\(cause)); no attempt was made")
  }

  static func originIsDown(_ origin: String, until: Timestamp) -> FetchFailure {
    FetchFailure(
      .originIsDown(until: until),
      "\(origin) keeps failing and is left alone until \(until); no attempt was made")
  }

  static func pausingInFleet(until: Timestamp, because reason: String) -> FetchFailure {
    var failure = FetchFailure(
      .pausing(until: until),
      "the fetch of another host has failed (\(reason)); the next attempt is due at \(until)")
    failure.isOfOneRecord = true
    return failure
  }

  static func held(_ origin: String, because reason: String) -> FetchFailure {
    FetchFailure(.held, "\(origin) is held until it is released (\(reason)); no attempt was made")
  }
}

/// The facts that an error of a fetch can tell the store about itself; conforming is optional.
///
/// An error that does not conform says nothing about the origin: the breaker counts neither a failure nor an
/// answer, and only the record is retried, by the policy's backoff. Your own extension can make an error of another
/// library conform.
public protocol FetchErrorTraits: Error {
  /// True when the failure concerns the whole origin: it cannot be reached, or says so itself (HTTP's 502 to 504).
  /// False when the origin answered and the failure concerns only the requested object: a refused request, an internal
  /// error, a value that breaks its rules. Then only the record pauses, and the breaker counts an answer.
  var blamesOrigin: Bool { get }
  /// The pause that the source asked for (RFC 9110 section 10.2.3).
  /// It lengthens the policy's own pause and never shortens it.
  var retryAfter: Duration? { get }
  /// True when nothing answered in time, or there was no network to ask over: the signs of a dead
  /// route or a silent firewall.
  ///
  /// True makes the route to the source suspect. False, the default, when anything answered, even with a refusal.
  var isUnreachable: Bool { get }
  /// False when the attempt failed before the source could answer, for a reason of this process.
  ///
  /// Such a reason is that no descriptor is left, or that a configuration cannot be used. The failure then tells
  /// nothing about the source, and its breaker and pauses stay as they are. True by default for errors that do not
  /// blame the origin.
  var wasAnswered: Bool { get }
  /// True when no user is signed in, so that no attempt can succeed until a user is; false by default.
  ///
  /// It does not count as a failure: the work with the origin is held (``Store/hold(_:because:)``) until the
  /// application ends the hold (``Store/endPause(origin:)``). When the policy names no origin, it is an
  /// ordinary failure.
  var needsSignIn: Bool { get }
}

extension FetchErrorTraits {
  /// False: the error tells nothing about the route to the source.
  public var isUnreachable: Bool { false }
  /// True: an error that does not blame the origin is an answer from it.
  public var wasAnswered: Bool { true }
  /// False: a missing user is not the cause.
  public var needsSignIn: Bool { false }
}
