extension Expiry {
  /// The opinion on an object of that age: the one place that says what is fresh by its age.
  ///
  /// - Parameter isInclusive: True when an age equal to the expiry is still fresh.
  package func opinion(ofAge age: Duration, isInclusive: Bool = false) -> Opinion {
    switch self {
    case .unstated: return .unknown(.noExpiry)
    case .never: return .valid(.neverExpires)
    case .after(let expiry) where expiry > .zero:
      let isFresh = age < expiry || (isInclusive && age == expiry)
      return Opinion(isFresh ? .valid : .invalid, .age(age, expiry: expiry))
    case .after, .immediately: return .invalid(.expiresImmediately)
    }
  }
}
