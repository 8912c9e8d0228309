/// How long a source is left alone after a failure.
///
/// A source that names a pause knows best how long it will take, but not how often it is asked: what it
/// names lengthens the policy's own pause and never shortens it. Named pauses of nothing would otherwise
/// have a source that fails asked without end.
struct FailurePause: Sendable, Equatable {
  let duration: Duration
  /// True when the source has named it: then it holds for those, too, who have nothing to serve.
  let isNamed: Bool

  init(named: Duration?, own: Duration) {
    isNamed = named.map { $0 > own } ?? false
    duration = max(named ?? own, own)
  }
}
