/// The answer of a server that judges values.
public struct RemoteAnswer: Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The body; a longer one may be cut after its first bytes.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}
