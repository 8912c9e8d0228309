/// The result of following a list; of all its pages, if it came in several.
public struct FollowedList: Sendable {
  /// Members whose values were stored.
  public var stored: [String] = []
  /// Members whose copies the source vouched for: they are as fresh as if each had been fetched and found
  /// not modified. Those with a pending write are not among them, although what lies beneath is renewed.
  public var renewed: [String] = []
  /// Members that were queued for a fetch of their own.
  public var queued: [String] = []
  /// Records that were removed, because they are on no list any more.
  public var removed: [String] = []
  /// Records that left the list and stayed: on another list, or, for now, pinned, with a pending write,
  /// or requested after the list. What stays for now is removed with the first later answer that does
  /// not bring it back and finds nothing to keep it.
  public var kept: [String] = []
  /// Members whose new value was not stored, because the record has a pending write.
  public var pending: [String] = []
  /// Members whose new value was refused, by key: their older copies stay.
  public var refused: [String: FetchFailure] = [:]
  /// True when the source reported no changes.
  public var isUnchanged = false
  /// True when the answer was the whole list, not only its changes.
  public var isFull = false

  /// True when records joined the list or left it.
  var isRearranged = false

  init() {}

  /// Adds the result of the next page.
  mutating func add(_ page: FollowedList) {
    stored += page.stored
    renewed += page.renewed
    queued += page.queued
    removed += page.removed
    kept += page.kept
    pending += page.pending
    refused.merge(page.refused) { _, later in later }
    isRearranged = isRearranged || page.isRearranged
    (isUnchanged, isFull) = (page.isUnchanged, page.isFull)
  }
}
