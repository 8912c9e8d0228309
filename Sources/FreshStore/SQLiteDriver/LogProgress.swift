/// How much of the log has been moved into the database.
struct LogProgress: Sendable, Equatable {
  /// Pages in the log.
  var pages: Int
  /// Pages of the log that are in the database as well.
  var moved: Int

  /// True when the next writer may restart the log.
  var isWhole: Bool { pages == moved }
}
