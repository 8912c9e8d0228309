/// The answer of a source to a local write.
public enum PushReply: Codable, Hashable, Sendable {
  case accepted
  case changed(Int)
  case refused
  case failure
  /// The source's own value; `nil` for nothing.
  case conflict(Int?)

  /// True when the source may hold the pushed value.
  func mayHaveTaken(_ sent: Int?) -> Bool {
    switch self {
    case .accepted, .changed, .failure: true
    case .refused: false
    case .conflict(let remote): remote == sent
    }
  }
}
