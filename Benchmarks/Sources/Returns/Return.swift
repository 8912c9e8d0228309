internal import FreshSync

/// The measurements of one return of the network. Times are milliseconds since the end of the call
/// that brought the network back.
struct Return: Codable, Sendable {
  /// How the network was gone.
  enum Kind: String, Codable, CaseIterable {
    /// For some seconds.
    case spaced = "for 2 to 5 s"
    /// Five times within 300 ms.
    case bursty = "5 times in 300 ms"
  }

  let kind: Kind
  /// True when local writes were being sent as the network went.
  let wasBusy: Bool
  /// Until the monitor reported it; `nil` when it had not noticed the last gap.
  let change: Double?
  /// Until the synchronizer began to send; `nil` when an earlier request arrived first. Until such
  /// a request ends, the synchronizer may have no slot for another.
  let push: Double?
  /// The number of earlier local writes that were being sent then.
  let underWay: Int
  /// Until the origin had a new connection; `nil` when an older one served.
  let connection: Double?
  /// Until bytes of a request were at the origin.
  let request: Double
  /// The state of the gateway's entry in the table of neighbours just before.
  let neighbour: String
  /// The segments that TCP sent again meanwhile, including requests for a connection.
  let segmentsAgain: Int
  let connectsAgain: Int

  /// The longest time wanted.
  static let limit = 100.0

  /// So many writes are sent to an origin at once.
  private static let places = SyncOptions().concurrencyPerOrigin

  /// The name of the synchronizer as a culprit.
  static let synchronizer = "the synchronizer"

  /// The part that waited, if the request took longer than wanted.
  var culprit: String? {
    guard request > Self.limit else { return nil }
    if let push, push > Self.limit { return Self.synchronizer }
    if push == nil { return "TCP, to repeat a request of before" }
    if neighbour == "INCOMPLETE" { return "neighbour discovery, begun while the cable was out" }
    if connectsAgain > 0 { return "TCP, to connect again" }
    if segmentsAgain > 0 { return "TCP, to send again" }
    return "nobody known"
  }
}
