/// The result of following a list.
public struct FollowedList: Sendable {
  /// Members whose values were stored.
  public var stored: [String] = []
  /// Members that were queued for a fetch of their own.
  public var queued: [String] = []
  /// Records that were removed, because they are on no list any more.
  public var removed: [String] = []
  /// Records that left the list and stayed: pinned, with a pending write, or on another list.
  public var kept: [String] = []
  /// Members whose new value was not stored, because the record has a pending write.
  public var pending: [String] = []
  /// Members whose new value was refused, by key: their older copies stay.
  public var refused: [String: FetchFailure] = [:]
  /// True when the source reported no changes.
  public var isUnchanged = false
  /// True when the answer was the whole list, not only its changes.
  public var isFull = false

  init() {}
}
