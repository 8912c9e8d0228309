internal import FreshStore
public import Rules

/// A line that was not imported.
public struct ImportRefusal: Sendable {
  /// Its number, counted from 1.
  public let line: Int
  /// The record, where the line named one.
  public let collection: String?
  /// The key, where the line named one.
  public let key: String?
  /// The problem, in words.
  public let reason: String
  /// The rules' report, if they refused its value.
  public let report: Report?
  /// True for a value beyond the limit of the store.
  package let isTooLarge: Bool
}
