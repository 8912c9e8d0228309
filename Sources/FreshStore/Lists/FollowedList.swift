/// What following a list led to.
public struct FollowedList: Sendable {
  /// Members whose values were stored.
  public var stored: [String] = []
  /// Members that were queued for a fetch of their own.
  public var queued: [String] = []
  /// Records that were removed, because no list has them any more.
  public var removed: [String] = []
  /// Records that left the list and stayed: pinned, with a pending write, or on another list.
  public var kept: [String] = []
  /// Members whose new value was not stored, because the record has a pending write.
  public var pending: [String] = []
  /// Members whose new value was refused, by key: their older copies stand.
  public var refused: [String: FetchFailure] = [:]
  /// True when the source said that nothing had changed.
  public var isUnchanged = false
  /// True when the whole list was answered, not only what had changed.
  public var isFull = false

  init() {}
}
