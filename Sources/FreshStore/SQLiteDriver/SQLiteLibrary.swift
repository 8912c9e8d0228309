internal import CSQLite

/// The linked SQLite.
package enum SQLiteLibrary {
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// 3.7.0 to 3.51.2, without the branches that got the fix (https://sqlite.org/wal.html#walresetbug).
  package static var hasWALResetBug: Bool {
    switch sqlite3_libversion_number() {
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000, 3_051_003...: false
    default: true
    }
  }
}
