internal import Strategies

extension Policy {
  /// The check of its numbers.
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    if case .after(let duration) = expiry {
      numbers.require("expiry", duration, from: Self.longestPast)
    }
    if case .after(let duration)? = negativeExpiry {
      numbers.require("negativeExpiry", duration, from: Self.longestPast)
    }
    numbers.require("jitter", jitter, from: 0, to: 1)
    switch eagerRefresh {
    case .never: break
    case .afterFraction(let part): numbers.require("afterFraction", part, from: 0, to: 1)
    case .probabilistic(let beta): numbers.require("beta", beta, from: 0, to: 1_000_000)
    }
    numbers.require("maximumAge", maximumAge)
    numbers.require("graceWhileRevalidating", graceWhileRevalidating)
    numbers.require("graceOnError", graceOnError)
    numbers.require("graceWhileOriginIsDown", graceWhileOriginIsDown)
    numbers.require("hardEnd", hardEnd)
    numbers.require("softTimeout", softTimeout)
    numbers.require("hardTimeout", hardTimeout)
    numbers.require("waitingTimeout", waitingTimeout)
    numbers.require("retryPause", retryPause)
    numbers.require("maximumRetryPause", maximumRetryPause)
    if let breaker { numbers.require(breaker.numbers) }
    return numbers
  }

  /// A negative expiry reads as ``Expiry/immediately``.
  private static let longestPast = Duration.zero - .unlimited
}
