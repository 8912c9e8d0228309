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
