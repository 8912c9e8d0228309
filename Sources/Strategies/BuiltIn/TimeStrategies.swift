/// Compares an object's age with its own expiry.
///
/// | verdict | when |
/// | --- | --- |
/// | valid | the age is below the expiry, or the expiry is ``Expiry/never`` |
/// | invalid | the age has reached the expiry; or the expiry is ``Expiry/immediately``, zero or negative; or the last update lies in the future by more than the allowed skew |
/// | unknown | there is no last update, or the expiry is ``Expiry/unstated`` |
///
/// A last update in the future within the skew counts as age zero. Cost: a few integer comparisons;
/// nothing is allocated.
package struct TimestampStrategy<Subject: Timestamped>: Strategy {
  /// How far in the future a last update may lie before it counts as a wrong clock.
  package let allowedSkew: Duration
  /// The meaning of an age equal to the expiry.
  let bound: Expiry.Bound

  /// Creates the strategy; a negative skew reads as zero.
  package init(allowedSkew: Duration = .seconds(5), bound: Expiry.Bound = .exclusive) {
    self.allowedSkew = max(.zero, allowedSkew)
    self.bound = bound
  }

  package var name: String { "timestamp" }

  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    guard let lastUpdate = subject.lastUpdate else { return .unknown(.noLastUpdate) }
    guard subject.expiry != .unstated else { return .unknown(.noExpiry) }
    guard let age = lastUpdate.age(at: context.now, allowedSkew: allowedSkew) else {
      let lead = lastUpdate.duration(since: context.now)
      return .invalid(.lastUpdateInFuture(by: lead, allowed: allowedSkew))
    }
    return subject.expiry.opinion(ofAge: age, isInclusive: bound == .inclusive)
  }

  /// A last update in the future is allowed from the first moment on; the expiry ends at the second.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    guard let lastUpdate = subject.lastUpdate, subject.expiry != .unstated else { return nil }
    var moments = [lastUpdate.advanced(by: .zero - allowedSkew)]
    if case .after(let expiry) = subject.expiry, expiry > .zero {
      let end = lastUpdate.advanced(by: expiry)
      moments.append(bound == .inclusive ? end.advanced(by: .milliseconds(1)) : end)
    }
    return moments.next(after: context.now)
  }
}

extension Expiry {
  /// The meaning of an age equal to the expiry.
  public enum Bound: Sendable, Hashable, CaseIterable {
    /// Valid while the age is below the expiry.
    case exclusive
    /// Valid until the age has passed the expiry. An expiry of zero stays invalid.
    case inclusive
  }
}

extension Strategy {
  /// Compares the object's age with its expiry.
  public static func timestamp<Object: Timestamped>(
    allowedSkew: Duration = .seconds(5), bound: Expiry.Bound = .exclusive
  ) -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(TimestampStrategy(allowedSkew: allowedSkew, bound: bound))
  }
}

/// Compares an object's age with a limit that the reader sets; the object's own expiry does not count.
///
/// Valid below the limit, and unknown without a last update. Invalid at the limit and past it, and when the last
/// update lies in the future by more than the allowed skew.
package struct MaximumAgeStrategy<Subject: Timestamped>: Strategy {
  /// The age from which an object is invalid.
  let limit: Duration
  let allowedSkew: Duration

  /// Creates the strategy; a negative skew reads as zero.
  package init(_ limit: Duration, allowedSkew: Duration = .seconds(5)) {
    self.limit = limit
    self.allowedSkew = max(.zero, allowedSkew)
  }

  package static var name: String { "maxAge" }
  package var name: String { Self.name }

  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    guard let lastUpdate = subject.lastUpdate else { return .unknown(.noLastUpdate) }
    guard let age = lastUpdate.age(at: context.now, allowedSkew: allowedSkew) else {
      let lead = lastUpdate.duration(since: context.now)
      return .invalid(.lastUpdateInFuture(by: lead, allowed: allowedSkew))
    }
    return Opinion(age < limit ? .valid : .invalid, .maximumAge(age, limit: limit))
  }

  /// A last update in the future is allowed from the first moment on; the limit is reached at the second.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    guard let lastUpdate = subject.lastUpdate else { return nil }
    return [lastUpdate.advanced(by: .zero - allowedSkew), lastUpdate.advanced(by: limit)]
      .next(after: context.now)
  }
}

extension Strategy {
  /// Valid while the object's age is below `limit`; the object's own expiry does not count.
  public static func maxAge<Object: Timestamped>(
    _ limit: Duration, allowedSkew: Duration = .seconds(5)
  ) -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(MaximumAgeStrategy(limit, allowedSkew: allowedSkew))
  }
}

/// Valid before a moment and invalid from then on; the subject plays no part.
struct DeadlineStrategy<Subject>: Strategy {
  /// The first moment at which everything is invalid.
  let deadline: Timestamp

  init(_ deadline: Timestamp) {
    self.deadline = deadline
  }

  var name: String { "deadline" }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    let remaining = deadline.duration(since: context.now)
    return Opinion(context.now < deadline ? .valid : .invalid, .deadline(remaining: remaining))
  }

  func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    [deadline].next(after: context.now)
  }
}

extension Strategy {
  /// Valid before `deadline` and invalid from then on.
  public static func deadline<Object>(_ deadline: Timestamp) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(DeadlineStrategy(deadline))
  }
}
