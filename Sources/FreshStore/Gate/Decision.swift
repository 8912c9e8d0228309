public import Rules
public import Strategies

/// The decision of the freshness gate on one record.
/// It has the outcome, the deciding strategy, the cause, and the figures.
public struct Decision: Sendable {
  /// The permitted use of the record.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The copy may be served.
    case fresh
    /// The copy is stale, and is served because its source is provably unreachable.
    case offline
    /// The copy must be fetched again; it remains as a fallback.
    case stale
    /// The stored record cannot be served: damaged, undecodable, or past its hard end.
    case unusable
    /// The source reported that the object does not exist, and the report is still valid.
    case absent
    /// Nothing is stored.
    case missing
  }

  /// The cause of the outcome.
  public enum Cause: Sendable, Hashable {
    /// A strategy of the chain, or the chain's own default.
    case chain(Reason)
    /// Nothing is stored under the key.
    case nothingStored
    /// Fetches were tried and none has succeeded yet.
    case neverFetched
    /// The record is older than its hard end allows.
    case pastHardEnd(age: Duration, hardEnd: Duration)
    /// The row's checksum does not match: its bytes changed on the disk.
    case damaged
    /// The stored bytes no longer decode.
    case undecodable(String)
    /// The stored value breaks its rules.
    case refused(Report)
    /// The value was written for another version of the program's content.
    case otherVersion(found: Int, required: Int)
    /// The copy belongs to another variant than the request.
    case otherVariant
    /// The record has a local write that its source has not accepted yet.
    case pendingWrite
    /// The store itself could not be read.
    case unreadable(String)
  }

  let facts: DecisionFacts

  init(_ facts: DecisionFacts) {
    self.facts = facts
  }

  /// The collection.
  public var collection: String { facts.collection }
  /// The key.
  public var key: String { facts.key }
  /// The permitted use of the record.
  public var outcome: Outcome { facts.outcome }
  /// The name of the strategy that decided.
  /// It is `record` when the record itself settled the decision, and `chain` when the chain's default did.
  public var decidedBy: String { facts.decidedBy }
  /// The cause of the outcome.
  public var cause: Cause { facts.cause }
  /// Every strategy that was asked, in order; filled by `explain`.
  public var trace: [Judgement.Step] { facts.trace }
  /// The moment of the decision.
  public var now: Timestamp { facts.now }
  /// When the record was last known to equal its source.
  public var lastUpdate: Timestamp? { facts.lastUpdate }
  /// Time since ``lastUpdate``, never negative.
  public var age: Duration? { lastUpdate.map { max(.zero, now.duration(since: $0)) } }
  /// The record's expiry.
  public var expiry: Expiry { facts.record?.expiry ?? .unstated }
  /// The time from which the record is stale; `nil` when it is not.
  public var staleSince: Timestamp? { facts.staleSince }
  /// True when the record may not be served stale, offline or not.
  public var mustRevalidate: Bool { facts.mustRevalidate }
  /// How long past ``staleSince`` it may be served while it is refreshed.
  public var graceWhileRevalidating: Duration { facts.graceWhileRevalidating }
  /// How long past ``staleSince`` it may be served when the refresh fails.
  public var graceOnError: Duration { facts.graceOnError }
  /// How long after ``lastUpdate`` it may be served at all; `nil` for no end.
  public var hardEnd: Duration? { facts.hardEnd }
  /// The caller's ``Policy/maximumAge``.
  public var maximumAge: Duration? { facts.maximumAge }
  /// The reason for its stale mark; `nil` when it is not marked.
  public var mark: String? { facts.record?.mark }
  /// Failed fetches since the last success.
  public var failures: Int { facts.record?.failures ?? 0 }
  /// The last failure.
  public var failure: String? { facts.record?.failure }
  /// The moment of the next attempt: before it no fetch is tried while the copy can be served.
  /// When the source named the moment, no fetch at all is tried before it.
  public var nextAttempt: Timestamp? { facts.record?.nextAttempt }
  /// True when a local write decided: the source does not have it yet, and has nothing newer.
  var isLocalWrite: Bool { cause == .pendingWrite }
  /// True when the source named ``nextAttempt``, as by HTTP's `Retry-After`.
  var isPauseNamed: Bool { facts.record?.isPauseNamed ?? false }
}

extension Decision {
  /// Time for which the record has been stale; `nil` when it is not.
  public var staleFor: Duration? {
    staleSince.map { max(.zero, now.duration(since: $0)) }
  }

  /// True when the copy may be served for `grace` past its expiry.
  func isWithin(_ grace: Duration) -> Bool {
    guard outcome == .stale, !mustRevalidate, let staleFor, grace > .zero else { return false }
    return staleFor <= grace
  }

  /// True when the copy may replace the result of a postponed fetch.
  var mayStandIn: Bool {
    outcome == .fresh || isWithin(max(graceOnError, graceWhileRevalidating))
  }

  /// The pause after the last failure of the record; `nil` when there is none, or it is over.
  func pause(_ policy: Policy) -> AttemptPause? {
    Backoff.end(nextAttempt, at: now, maximum: policy.maximumRetryPause).map {
      AttemptPause(
        until: $0, cause: failure ?? "no reason kept", origin: isPauseNamed ? .named : .backoff)
    }
  }

  /// This decision with another outcome, for facts that were found after the stamps were judged.
  @usableFromInline
  func settled(_ outcome: Outcome, _ cause: Cause) -> Decision {
    Decision(facts.settled(outcome, cause))
  }

  /// True when the copy may be served, or the answer "does not exist" is still valid.
  public var isServable: Bool {
    switch outcome {
    case .fresh, .offline, .absent: true
    case .stale, .unusable, .missing: false
    }
  }
}

extension Decision: CustomStringConvertible {
  /// One line: the outcome, its strategy, and its cause.
  public var description: String { "\(outcome.rawValue) (\(decidedBy)): \(cause)" }
}

extension Decision.Cause: CustomStringConvertible {
  /// The cause, with figures.
  public var description: String {
    switch self {
    case .chain(let reason): reason.description
    case .nothingStored: "nothing is stored under the key"
    case .neverFetched: "no fetch has succeeded yet"
    case .pastHardEnd(let age, let hardEnd):
      "age \(age.brief) is past the hard end of \(hardEnd.brief)"
    case .damaged: "the checksum of the record does not match its bytes"
    case .undecodable(let words): "the stored bytes do not decode: \(words)"
    case .refused(let report): "the stored value breaks its rules: \(report)"
    case .otherVersion(let found, let required):
      "the record is of content version \(found), not \(required)"
    case .otherVariant: "the copy answers another variant of the request"
    case .pendingWrite: "a local write waits to reach the source"
    case .unreadable(let words): "the store could not be read: \(words)"
    }
  }

  /// A stable name for logs and machine-readable output. It never changes after its release.
  public var code: String {
    switch self {
    case .chain(let reason): reason.code
    case .nothingStored: "nothing-stored"
    case .neverFetched: "never-fetched"
    case .pastHardEnd: "past-hard-end"
    case .damaged: "damaged"
    case .undecodable: "undecodable"
    case .refused: "refused"
    case .otherVersion: "other-version"
    case .otherVariant: "other-variant"
    case .pendingWrite: "pending-write"
    case .unreadable: "unreadable"
    }
  }
}

/// The content of a ``Decision``, whose properties describe each part.
/// A class, because a decision is passed on and copied often.
final class DecisionFacts: Sendable {
  let collection: String
  let key: String
  let outcome: Decision.Outcome
  let decidedBy: String
  let cause: Decision.Cause
  let trace: [Judgement.Step]
  let now: Timestamp
  let lastUpdate: Timestamp?
  let staleSince: Timestamp?
  let mustRevalidate: Bool
  let graceWhileRevalidating: Duration
  let graceOnError: Duration
  let hardEnd: Duration?
  let maximumAge: Duration?
  /// True when the policy's own ``maximumAge`` decided: for another caller the record may be fresh.
  let isByPolicy: Bool
  /// The judged record; `nil` when nothing is stored.
  let record: JudgedRecord?

  init(
    collection: String, key: String, outcome: Decision.Outcome, decidedBy: String,
    cause: Decision.Cause, trace: [Judgement.Step] = [], now: Timestamp, lastUpdate: Timestamp?,
    staleSince: Timestamp?, mustRevalidate: Bool, graceWhileRevalidating: Duration,
    graceOnError: Duration, hardEnd: Duration?, maximumAge: Duration? = nil,
    isByPolicy: Bool = false,
    record: JudgedRecord?
  ) {
    self.collection = collection
    self.key = key
    self.outcome = outcome
    self.decidedBy = decidedBy
    self.cause = cause
    self.trace = trace
    self.now = now
    self.lastUpdate = lastUpdate
    self.staleSince = staleSince
    self.mustRevalidate = mustRevalidate
    self.graceWhileRevalidating = graceWhileRevalidating
    self.graceOnError = graceOnError
    self.hardEnd = hardEnd
    self.maximumAge = maximumAge
    self.isByPolicy = isByPolicy
    self.record = record
  }

  /// The facts about the same record after its value turned out to be of no use.
  func settled(_ outcome: Decision.Outcome, _ cause: Decision.Cause) -> DecisionFacts {
    DecisionFacts(
      collection: collection, key: key, outcome: outcome, decidedBy: "record", cause: cause,
      trace: trace, now: now, lastUpdate: lastUpdate, staleSince: staleSince ?? now,
      mustRevalidate: mustRevalidate, graceWhileRevalidating: graceWhileRevalidating,
      graceOnError: graceOnError, hardEnd: hardEnd, maximumAge: maximumAge, record: record)
  }
}
