public import Strategies

/// The stored state of a list when it is requested again.
public struct PreviousList: Sendable, Hashable {
  /// The list's name.
  public let name: String
  /// The cursor of the source's last answer: the basis for requesting only changes; `nil` when the
  /// whole list is wanted.
  public let cursor: String?
  /// When the list was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// The number of its members here.
  public let count: Int

  /// Creates the previous state of a list.
  public init(name: String, cursor: String? = nil, lastUpdate: Timestamp? = nil, count: Int = 0) {
    self.name = name
    self.cursor = cursor
    self.lastUpdate = lastUpdate
    self.count = count
  }
}
