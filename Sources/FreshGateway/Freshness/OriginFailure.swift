/// How an origin fails.
enum OriginFailure: Sendable, Hashable {
  /// Nothing came, or nothing could be sent: it is out of reach, too slow, or left alone for a while.
  case noAnswer
  /// An answer of one of the statuses of RFC 5861 section 4.
  case serverError(Int)
}
