/// How much of the log has been moved into the database.
struct LogProgress: Sendable, Equatable {
  /// Pages that stand in the log.
  var pages: Int
  /// How many of them stand in the database as well.
  var moved: Int

  /// True when the next writer may begin the log anew.
  var isWhole: Bool { pages == moved }
}
