/// The layer between SQLite and the files of one folder.
protocol Disk: AnyObject, Sendable {
  /// Receives every call before it is made, from any thread.
  func verdict(on call: DiskCall, of file: String) -> DiskVerdict
}

/// The fate of a call.
enum DiskVerdict: Sendable {
  /// It is made.
  case proceed
  /// It is not made, and SQLite receives a success.
  case skip
  /// It is not made, and fails.
  case fail(Int32)
  /// Half of the data is written, and then it fails.
  case failHalfway(Int32)
}
