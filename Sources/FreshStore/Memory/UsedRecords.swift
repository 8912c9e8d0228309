/// The records that this process has used of late: read from the file since they were stored there, or found in memory.
struct UsedRecords: Sendable {
  /// Those in memory.
  var checksums: Set<Int64> = []
  /// The values in blocks of those that memory does not have.
  var contents: Set<Int64> = []

  func contains(checksum: Int64, content: Int64?) -> Bool {
    if checksums.contains(checksum) { return true }
    guard let content else { return false }
    return contents.contains(content)
  }
}
