/// A read of the file that found nothing under a key.
struct EmptyLook: Sendable {
  /// The header of the log's index before it.
  let header: LogHeader
  let decision: Decision
}
