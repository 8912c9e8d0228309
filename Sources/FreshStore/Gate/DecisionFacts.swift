internal import Strategies

/// The content of a ``Decision``, whose properties describe each part: a reference, as a decision is passed on
/// and copied often.
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
  /// True where the policy's own ``maximumAge`` decided: for another caller the record may be fresh.
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

  /// The same of a record whose value turned out to be of no use.
  func settled(_ outcome: Decision.Outcome, _ cause: Decision.Cause) -> DecisionFacts {
    DecisionFacts(
      collection: collection, key: key, outcome: outcome, decidedBy: "record", cause: cause,
      trace: trace, now: now, lastUpdate: lastUpdate, staleSince: staleSince ?? now,
      mustRevalidate: mustRevalidate, graceWhileRevalidating: graceWhileRevalidating,
      graceOnError: graceOnError, hardEnd: hardEnd, maximumAge: maximumAge, record: record)
  }
}
