/// The records that this process has used of late: read from the file since they were stored there, or found in memory.
struct UsedRecords: Sendable {
  /// The checksums of rows.
  var checksums: Set<Int64>
  /// The numbers of values in blocks.
  var contents: Set<Int64>

  static let none = UsedRecords(checksums: [], contents: [])

  func contains(checksum: Int64, content: Int64?) -> Bool {
    if checksums.contains(checksum) { return true }
    guard let content else { return false }
    return contents.contains(content)
  }
}
