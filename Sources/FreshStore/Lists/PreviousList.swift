public import Strategies

/// The stored state of a list when it is requested again.
public struct PreviousList: Sendable, Hashable {
  /// The list's name.
  public let name: String
  /// The cursor of the source's last answer: the basis for requesting only changes; `nil` when the
  /// whole list is wanted.
  public let cursor: String?
  /// The token of the page to request, as the page before named it: of the changes since ``cursor``, or
  /// of the whole list without one; `nil` for the first page. A walk through pages that was interrupted
  /// goes on with it.
  public let page: String?
  /// When the list was last known to equal its source; `nil` when the whole list is wanted.
  public let lastUpdate: Timestamp?
  /// The number of its members here when the update began.
  public let count: Int

  /// True when the whole list is to be told, or a page of it, and not its changes.
  public var wantsWhole: Bool { cursor == nil && lastUpdate == nil }

  /// Creates the previous state of a list.
  public init(
    name: String, cursor: String? = nil, page: String? = nil, lastUpdate: Timestamp? = nil,
    count: Int = 0
  ) {
    self.name = name
    self.cursor = cursor
    self.page = page
    self.lastUpdate = lastUpdate
    self.count = count
  }
}
