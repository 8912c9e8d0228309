/// An event between the hosts of a history and what they share, or in what they share.
public enum HistoryFleetEvent: Codable, Hashable, Sendable {
  /// The fate of a call.
  public enum Fate: String, Codable, CaseIterable, Sendable {
    /// Its request never arrives.
    case requestLost
    /// It is done, and its answer never arrives.
    case answerLost
    /// Its request arrives later, or never; its caller does not wait for long.
    case requestLate
    /// The same of its answer.
    case answerLate
    /// Its request arrives once more, later.
    case repeated
  }

  /// The messages that a broken way does not carry.
  public enum Direction: String, Codable, CaseIterable, Sendable {
    case requests, answers, both
  }

  // MARK: The way of a host

  /// The next calls of a host have this fate.
  case disturb(host: Int, Fate, calls: Int)
  /// The way breaks, and carries again.
  case cut(host: Int, Direction)
  case join(host: Int)
  /// A host is told of nothing, or is told again.
  case deafen(host: Int, isDeaf: Bool)
  /// The tier takes no marks of a host, whose rights were taken away, or takes them again.
  case refuse(host: Int, isRefusing: Bool)
  /// Something that is late arrives, counted from the oldest and round again.
  case deliver(which: Int)

  // MARK: The clocks of a host

  /// Its alarms do not ring, as while it is stopped, or do so again.
  case doze(host: Int, isDozing: Bool)
  /// Its wall clock is set, in seconds.
  case stepWall(host: Int, seconds: Int)

  // MARK: The shared tier

  /// All marks but the last ones are removed from its journal.
  case trim(leaves: Int)
  /// A copy of it is made, and takes its place.
  case save
  case restore
  /// It begins again with nothing.
  case empty
}
