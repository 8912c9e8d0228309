/// What an attempt tells of the origin that was to be asked.
enum OriginVerdict: Sendable {
  /// It answered, whatever it said.
  case answered
  /// It is to blame for a failure.
  case failed(OriginBlame)
  /// Nothing: the attempt failed here, before it could answer.
  case unknown

  /// What several attempts tell that were made as one.
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
  /// The pause that the origin has named itself.
  var namedPause: Duration?
}
