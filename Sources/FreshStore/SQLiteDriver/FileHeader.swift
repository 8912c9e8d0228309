/// The first bytes of a database file (https://sqlite.org/fileformat2.html, section 1.3).
package struct FileHeader {
  /// The number of bytes read from the file.
  package static let size = 72
  /// `PRAGMA application_id`.
  package let identifier: Int64
  /// `PRAGMA user_version`.
  package let version: Int

  /// Reads the header; `nil` when the file is not a database.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    identifier = Self.number(bytes[68..<72])
    version = Int(Self.number(bytes[60..<64]))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
