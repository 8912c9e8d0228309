#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The decision of the gate, with its figures.
  struct DecisionOutput: Encodable {
    let outcome: String
    let decidedBy: String
    let reason: ReasonOutput
    let lastUpdate: String?
    let ageSeconds: Double?
    let expiry: String
    let expirySeconds: Double?
    let staleForSeconds: Double?
    let mustRevalidate: Bool
    let graceWhileRevalidatingSeconds: Double
    let graceOnErrorSeconds: Double
    let hardEndSeconds: Double?
    let mark: String?
    let failures: Int
    let lastFailure: String?
    let nextAttempt: String?

    init(_ decision: Decision) {
      outcome = decision.outcome.rawValue
      decidedBy = decision.decidedBy
      reason = ReasonOutput(decision.cause)
      lastUpdate = decision.lastUpdate?.description
      ageSeconds = decision.age?.inSeconds
      expiry = decision.expiry.name
      expirySeconds = decision.expiry.inSeconds
      staleForSeconds = decision.staleFor?.inSeconds
      mustRevalidate = decision.mustRevalidate
      graceWhileRevalidatingSeconds = decision.graceWhileRevalidating.inSeconds
      graceOnErrorSeconds = decision.graceOnError.inSeconds
      hardEndSeconds = decision.hardEnd?.inSeconds
      mark = decision.mark
      failures = decision.failures
      lastFailure = decision.failure
      nextAttempt = decision.nextAttempt?.description
    }
  }
#endif
