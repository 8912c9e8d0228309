/// Compares an object's age with a limit of the reader's own, whatever the object's expiry says.
///
/// Valid below the limit; invalid at or past it, or when the last update lies in the future by more
/// than the allowed skew; unknown without a last update.
package struct MaximumAgeStrategy<Subject: Timestamped>: Strategy {
  /// The age from which an object is invalid.
  package let limit: Duration
  /// How far in the future a last update may lie before it counts as a wrong clock.
  package let allowedSkew: Duration

  /// Creates the strategy; a negative skew reads as zero.
  package init(_ limit: Duration, allowedSkew: Duration = .seconds(5)) {
    self.limit = limit
    self.allowedSkew = max(.zero, allowedSkew)
  }

  /// `maxAge`.
  package static var name: String { "maxAge" }
  /// `maxAge`.
  package var name: String { Self.name }

  /// Compares the subject's age at the context's moment with the limit.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    guard let lastUpdate = subject.lastUpdate else { return .unknown(.noLastUpdate) }
    guard let age = lastUpdate.age(at: context.now, allowedSkew: allowedSkew) else {
      let lead = lastUpdate.duration(since: context.now)
      return .invalid(.lastUpdateInFuture(by: lead, allowed: allowedSkew))
    }
    return Opinion(age < limit ? .valid : .invalid, .maximumAge(age, limit: limit))
  }

  /// The moment from which a last update in the future is allowed, and that of the limit.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    guard let lastUpdate = subject.lastUpdate else { return nil }
    return [lastUpdate.advanced(by: .zero - allowedSkew), lastUpdate.advanced(by: limit)]
      .next(after: context.now)
  }
}

extension Strategy {
  /// Valid while the object's age is below `limit`, whatever its own expiry says.
  public static func maxAge<Object: Timestamped>(
    _ limit: Duration, allowedSkew: Duration = .seconds(5)
  ) -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(MaximumAgeStrategy(limit, allowedSkew: allowedSkew))
  }
}
