/// What an error thrown by a fetch can tell the store about itself; adopting it is optional.
///
/// An error that does not adopt it is blamed on the origin and retried by the policy's backoff.
public protocol FetchErrorTraits: Error {
  /// True when the failure speaks of the whole origin: it cannot be reached, or says so itself (HTTP's
  /// 502 to 504). False when it answered and the failure is of the one thing that was asked for (a
  /// refused request, an internal error, a value that breaks its rules): then the record alone pauses,
  /// and the breaker counts an answer.
  var blamesOrigin: Bool { get }
  /// How long the source asked to be left alone (RFC 9110 section 10.2.3). It lengthens the policy's own
  /// pause and never shortens it.
  var retryAfter: Duration? { get }
  /// True when nobody answered in time, or there was no network to ask over: what a dead way and a
  /// silent firewall look like. False, which is the default, when anybody answered, if only by
  /// refusing. It makes the way to the source suspected.
  var isUnreachable: Bool { get }
  /// False when the attempt failed before the source could answer, for a reason of this process (no
  /// descriptor left, a configuration that cannot be used): it then says nothing of the source, whose
  /// breaker and pauses stay as they are. True, which is the default, of what does not blame the origin.
  var wasAnswered: Bool { get }
}

extension FetchErrorTraits {
  /// False: the error says nothing of the way to the source.
  public var isUnreachable: Bool { false }
  /// True: what does not blame the origin is an answer of it.
  public var wasAnswered: Bool { true }
}
