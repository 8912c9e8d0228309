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

  /// No part of a combinator settled it alone; carries the combined answers. When one part settled
  /// it, that part's own reason stands.
  case combined(String)
  /// Every object of a list is valid.
  case everyElement(count: Int)
  /// The list has no objects; the caller's choice decided.
  case emptyList
  /// A strategy's own words.
  case custom(String)
}
