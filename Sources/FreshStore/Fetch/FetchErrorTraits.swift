/// What an error thrown by a fetch can tell the store about itself; adopting it is optional.
///
/// An error that does not adopt it is blamed on the origin and retried by the policy's backoff.
public protocol FetchErrorTraits: Error {
  /// False when the origin answered and the failure says nothing of its health (a refused request,
  /// a value that breaks its rules); such an error does not count towards the breaker.
  var blamesOrigin: Bool { get }
  /// How long the source asked to be left alone (RFC 9110 section 10.2.3).
  var retryAfter: Duration? { get }
}
