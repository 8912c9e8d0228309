import FreshStore

/// The error of a source in these tests.
package struct OriginFailure: FetchErrorTraits, Equatable {
  package var blamesOrigin = true
  package var retryAfter: Duration?
  package var isUnreachable = false
  package var wasAnswered = true
  package var needsSignIn = false

  package init(
    blamesOrigin: Bool = true, retryAfter: Duration? = nil, isUnreachable: Bool = false,
    wasAnswered: Bool = true, needsSignIn: Bool = false
  ) {
    (self.blamesOrigin, self.retryAfter) = (blamesOrigin, retryAfter)
    (self.isUnreachable, self.wasAnswered) = (isUnreachable, wasAnswered)
    self.needsSignIn = needsSignIn
  }
}
