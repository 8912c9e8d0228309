/// That an origin gave no answer, as its clients hear of it.
struct NoAnswer: Sendable, Hashable {
  /// Whom it tells something besides whoever has asked.
  enum Concern: Sendable, Hashable {
    /// All: the origin cannot be reached, or is not asked.
    case all
    /// Perhaps nobody: the origin was reached, and what this client has sent may be why no answer came. Another request
    /// may get one. So it is where this client has too many requests under way.
    case request
    /// Those whom a copy can answer. There is an answer, which was kept from them alone; without a copy it is passed on.
    case holders
  }

  /// Why, for people.
  let words: String
  /// The same for operators alone: it may tell where the origin is.
  var cause: String?
  /// What is sent where no copy stands in: 504 for an origin that takes too long or is not asked, 502 for one that
  /// refuses or breaks off (RFC 9110 sections 15.6.3 and 15.6.5), 503 where this gateway has no connection left for it.
  var status = 504
  /// False when the origin was not even tried, as it is out of reach or left alone.
  var wasSent = true
  /// When it will be asked again.
  var retryAfter: Duration?
  var concern = Concern.all
}
