/// The answer to a request that is not understood, or that others may understand differently. The
/// connection closes after it: where its next request begins is not known.
struct RequestRefusal: Error, Sendable, Hashable {
  let status: Int
  /// For the client and the log: what is wrong, without a byte of the request in it.
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// RFC 9110 section 15.5.1.
  static func malformed(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }
}
