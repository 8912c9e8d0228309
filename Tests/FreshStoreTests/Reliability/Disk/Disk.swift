/// What stands between SQLite and the files of one folder.
protocol Disk: AnyObject, Sendable {
  /// Told of every call before it is made, from any thread.
  func verdict(on call: DiskCall, of file: String) -> DiskVerdict
}

/// What becomes of a call.
enum DiskVerdict: Sendable {
  /// It is made.
  case proceed
  /// It is not made, and SQLite is told that it went well.
  case skip
  /// It is not made, and fails.
  case fail(Int32)
  /// Half of what is to be written is, and then it fails.
  case failHalfway(Int32)
}
