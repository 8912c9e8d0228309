/// No answer came in time.
struct RemoteTimeout: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "the server did not answer within \(limit)" }
}
