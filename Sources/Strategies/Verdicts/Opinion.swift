/// One strategy's verdict and the reason for it.
public struct Opinion: Sendable, Hashable {
  /// The strategy's verdict.
  public let verdict: Verdict
  /// The reason, with its figures.
  public let reason: Reason

  /// The object may be served.
  public static func valid(_ reason: Reason) -> Opinion { Opinion(.valid, reason) }
  /// The object must be fetched again.
  public static func invalid(_ reason: Reason) -> Opinion { Opinion(.invalid, reason) }
  /// The strategy cannot decide.
  public static func unknown(_ reason: Reason) -> Opinion { Opinion(.unknown, reason) }

  /// Creates an opinion.
  public init(_ verdict: Verdict, _ reason: Reason) {
    self.verdict = verdict
    self.reason = reason
  }
}

extension Opinion: CustomStringConvertible {
  /// The verdict and the reason, such as `invalid: age 6 s is past the expiry of 5 s`.
  public var description: String { "\(verdict.rawValue): \(reason)" }
}
