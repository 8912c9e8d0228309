/// The damaged files beside a store after a wipe.
public struct WipeResult: Sendable, Hashable, Codable {
  /// Files that a store moved aside because they were damaged, and that hold what could be read in it
  /// then. They are still there.
  public var damagedFiles: [String] = []
  /// Files of that kind, and their logs, that were deleted.
  public var removedFiles: [String] = []

  /// An empty result.
  package init() {}
}
