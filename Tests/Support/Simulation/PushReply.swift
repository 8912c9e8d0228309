/// What a source answers to a local write.
public enum PushReply: Codable, Hashable, Sendable {
  case accepted
  case changed(Int)
  case refused
  case failure
  /// What it holds instead; `nil` for nothing.
  case conflict(Int?)
}
