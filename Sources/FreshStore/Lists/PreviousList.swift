public import Strategies

/// What the store knows of a list when it is asked for again.
public struct PreviousList: Sendable, Hashable {
  /// The list's name.
  public let name: String
  /// What the source gave with its last answer: the ground for asking for changes only; `nil` when
  /// the whole list is wanted.
  public let cursor: String?
  /// When the list was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// How many members it has here.
  public let count: Int

  /// Creates the previous state of a list.
  public init(name: String, cursor: String? = nil, lastUpdate: Timestamp? = nil, count: Int = 0) {
    self.name = name
    self.cursor = cursor
    self.lastUpdate = lastUpdate
    self.count = count
  }
}
