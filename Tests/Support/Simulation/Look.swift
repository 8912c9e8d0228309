import FreshStore
import Strategies

/// The decision of the model's gate about a key.
struct Look: Hashable {
  var outcome: Decision.Outcome
  /// The copy that may be served, or replace a failed fetch.
  var value: Int?
  var staleFor: Int64?
  var mustRevalidate = false
  var isLocal = false
  var edition: ModelRecord.Edition?
  var nextAttempt: Int64?

  init(_ outcome: Decision.Outcome, _ value: Int? = nil, nextAttempt: Int64? = nil) {
    (self.outcome, self.value, self.nextAttempt) = (outcome, value, nextAttempt)
  }

  var isServable: Bool { outcome == .fresh || outcome == .offline }

  func isWithin(_ grace: Duration) -> Bool {
    guard outcome == .stale, !mustRevalidate, let staleFor, grace > .zero else { return false }
    return Duration.milliseconds(staleFor) <= grace
  }

  /// True when the copy may replace a fetch that is put off.
  func mayStandIn(_ policy: Policy) -> Bool {
    guard policy.mode != .sourceOnly else { return false }
    return outcome == .fresh || isWithin(max(policy.graceOnError, policy.graceWhileRevalidating))
  }

  private var words: String { value.map(String.init) ?? "" }

  /// The replacement of a fetch that failed, or is put off.
  func inPlaceOfFetch(_ policy: Policy, _ why: ModelFlight.Failure) -> String {
    let grace =
      switch why {
      case .failed, .offline: policy.graceOnError
      case .paused: max(policy.graceOnError, policy.graceWhileRevalidating)
      case .down: max(policy.graceOnError, policy.graceWhileOriginIsDown ?? .zero)
      case .held:
        max(
          policy.graceOnError, policy.graceWhileRevalidating,
          policy.graceWhileOriginIsDown ?? .zero)
      }
    let error = why == .offline ? "error offline" : "error fetchFailed"
    guard policy.mode != .sourceOnly else { return error }
    switch outcome {
    case .fresh: return "fresh \(words)"
    case .offline: return "stale-offline \(words)"
    case .stale where isWithin(grace): return "stale-on-error \(words)"
    default: return error
    }
  }
}
