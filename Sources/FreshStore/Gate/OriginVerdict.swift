/// The verdict of an attempt on its origin.
enum OriginVerdict: Sendable {
  /// It answered, with any result.
  case answered
  /// It is to blame for a failure.
  case failed(OriginBlame)
  /// None: the attempt failed here, before it could answer.
  case unknown

  /// The verdict of several attempts made as one.
  init(of verdicts: [OriginVerdict]) {
    self = .unknown
    for verdict in verdicts {
      switch (self, verdict) {
      case (.failed, _), (_, .unknown): break
      case (_, .failed), (_, .answered): self = verdict
      }
    }
  }
}

/// A failure that an origin is to blame for.
struct OriginBlame: Sendable {
  let message: String
  /// The pause that the origin itself named.
  var namedPause: Duration?
}
