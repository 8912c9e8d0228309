/// The facts that an error thrown by a fetch can tell the store about itself; adopting it is optional.
///
/// An error that does not adopt it says nothing about the origin: its breaker counts neither a failure nor an
/// answer, and the record alone is retried, by the policy's backoff. An error of another library adopts it in an
/// extension of yours.
public protocol FetchErrorTraits: Error {
  /// True when the failure concerns the whole origin: it cannot be reached, or says so itself
  /// (HTTP's 502 to 504). False when it answered and the failure concerns only the requested object
  /// (a refused request, an internal error, a value that breaks its rules): then only the record
  /// pauses, and the breaker counts an answer.
  var blamesOrigin: Bool { get }
  /// The pause that the source asked for (RFC 9110 section 10.2.3). It lengthens the policy's own
  /// pause and never shortens it.
  var retryAfter: Duration? { get }
  /// True when nothing answered in time, or there was no network to ask over: the signs of a dead
  /// route or a silent firewall. False, the default, when anything answered, even with a refusal.
  /// True makes the route to the source suspect.
  var isUnreachable: Bool { get }
  /// False when the attempt failed before the source could answer, for a reason of this process (no
  /// descriptor left, a configuration that cannot be used): it then tells nothing about the source, whose
  /// breaker and pauses stay as they are. True by default for errors that do not blame the origin.
  var wasAnswered: Bool { get }
  /// True when nobody is signed in, so that no attempt can succeed until somebody is. It counts for
  /// nobody's failures: the work with the origin is held (``Store/hold(_:because:)``) until the
  /// application ends that (``Store/endPause(origin:)``). Where the policy names no origin, it is an
  /// ordinary failure. False by default.
  var needsSignIn: Bool { get }
}

extension FetchErrorTraits {
  /// False: the error tells nothing about the route to the source.
  public var isUnreachable: Bool { false }
  /// True: an error that does not blame the origin is an answer from it.
  public var wasAnswered: Bool { true }
  /// False: whoever has to be signed in is.
  public var needsSignIn: Bool { false }
}
