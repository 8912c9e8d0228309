/// Why a verdict was given, with its figures; rendered by ``description`` for people and
/// named by ``code`` for machines.
///
/// A value, not a text, so that giving a reason on every read costs no allocation.
public enum Reason: Sendable, Hashable {
  /// The strategy gives every object the same verdict.
  case always
  /// There was no object to judge.
  case noObject
  /// No strategy decided; the chain's own default did.
  case undecided

  /// Compared the age with the expiry.
  case age(Duration, expiry: Duration)
  /// The expiry is ``Expiry/never``.
  case neverExpires
  /// The expiry is ``Expiry/immediately``.
  case expiresImmediately
  /// The object has no last update.
  case noLastUpdate
  /// The object's expiry is ``Expiry/unstated``.
  case noExpiry
  /// The last update lies further in the future than the allowed skew.
  case lastUpdateInFuture(by: Duration, allowed: Duration)

  /// Compared the age with a limit that is not the object's own expiry.
  case maximumAge(Duration, limit: Duration)
  /// Compared the moment with a deadline; positive when time is left.
  case deadline(remaining: Duration)
  /// Compared the object's version with the required one.
  case version(found: String, required: String)

  /// The reachability provider's answer.
  case reachability(Reachability)
  /// Reachability was left out of this judgement on request.
  case reachabilityIgnored

  /// The object was marked, or an invalidation covers it.
  case marked(String)
  /// No mark and no invalidation covers the object.
  case notMarked
  /// The object's owner declares it valid.
  case declaredValid
  /// The object's owner makes no statement.
  case notDeclared

  /// No single part of a combinator settled the opinion; carries the combined answers. A part that settles the
  /// opinion gives its own reason.
  case combined(String)
  /// Every object of a list is valid.
  case everyElement(count: Int)
  /// The list has no objects; the caller's choice decided.
  case emptyList
  /// A strategy's own words.
  case custom(String)

  /// A stable name for logs and machine-readable output, without figures; it never changes once released.
  public var code: String {
    switch self {
    case .always: "always"
    case .noObject: "no-object"
    case .undecided: "undecided"
    case .age: "age"
    case .neverExpires: "never-expires"
    case .expiresImmediately: "expires-immediately"
    case .noLastUpdate: "no-last-update"
    case .noExpiry: "no-expiry"
    case .lastUpdateInFuture: "last-update-in-future"
    case .maximumAge: "maximum-age"
    case .deadline: "deadline"
    case .version: "version"
    case .reachability(let reachability): reachability.code
    case .reachabilityIgnored: "reachability-ignored"
    case .marked: "marked"
    case .notMarked: "not-marked"
    case .declaredValid: "declared-valid"
    case .notDeclared: "not-declared"
    case .combined: "combined"
    case .everyElement: "every-element"
    case .emptyList: "empty-list"
    case .custom: "custom"
    }
  }
}

extension Reason: CustomStringConvertible {
  /// The reason in plain English with its figures.
  public var description: String {
    switch self {
    case .always: "the same for every object"
    case .noObject: "there is no object"
    case .undecided: "no strategy decided"
    case .age(let age, let expiry):
      "age \(age.brief) \(Self.position(of: age, against: expiry)) the expiry of \(expiry.brief)"
    case .neverExpires: "it never expires"
    case .expiresImmediately: "it expires at once"
    case .noLastUpdate: "its last update is not known"
    case .noExpiry: "its expiry is not stated"
    case .lastUpdateInFuture(let lead, let allowed):
      "its last update lies \(lead.brief) in the future, \(allowed.brief) is allowed"
    case .maximumAge(let age, let limit):
      "age \(age.brief) \(Self.position(of: age, against: limit)) the limit of \(limit.brief)"
    case .deadline(let remaining):
      remaining > .zero
        ? "\(remaining.brief) left until the deadline"
        : "the deadline passed \((.zero - remaining).brief) ago"
    case .version(let found, let required):
      found == required ? "version \(found), as required" : "version \(found), required \(required)"
    case .reachability(let reachability): reachability.description
    case .reachabilityIgnored: "reachability was left out"
    case .marked(let cause): cause.hasPrefix("marked") ? cause : "marked: \(cause)"
    case .notMarked: "it is not marked"
    case .declaredValid: "its owner declares it valid"
    case .notDeclared: "its owner does not declare it valid"
    case .combined(let words): words
    case .everyElement(let count): count == 1 ? "the one object is valid" : "all \(count) are valid"
    case .emptyList: "the list is empty"
    case .custom(let words): words
    }
  }

  private static func position(of age: Duration, against bound: Duration) -> String {
    if age < bound { "is below" } else if age == bound { "equals" } else { "is past" }
  }
}
