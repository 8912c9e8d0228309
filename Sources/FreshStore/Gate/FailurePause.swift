/// The pause of a source after a failure.
///
/// A source that names a pause knows best how long it will take, but not how often it is asked: a
/// named pause lengthens the policy's own pause and never shortens it. Otherwise a failing source
/// with named pauses of zero would be asked without end.
struct FailurePause: Sendable, Equatable {
  let duration: Duration
  /// True when the source named it: then it also applies to callers that have nothing to serve.
  let isNamed: Bool

  init(named: Duration?, own: Duration) {
    isNamed = named.map { $0 > own } ?? false
    duration = max(named ?? own, own)
  }
}
