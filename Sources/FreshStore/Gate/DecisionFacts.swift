internal import Rules
internal import Strategies

/// The content of a ``Decision``; its properties describe each part.
struct DecisionFacts: Sendable {
  let collection: String
  let key: String
  var outcome: Decision.Outcome
  var decidedBy: String
  var cause: Decision.Cause
  let trace: [Judgement.Step]
  let now: Timestamp
  let lastUpdate: Timestamp?
  let age: Duration?
  let expiry: Expiry
  var staleSince: Timestamp?
  let mustRevalidate: Bool
  let graceWhileRevalidating: Duration
  let graceOnError: Duration
  let hardEnd: Duration?
  let mark: String?
  let failures: Int
  let failure: String?
  let nextAttempt: Timestamp?
  var isPauseNamed = false
}
