internal import FreshStore
internal import Strategies

/// What a damaged file that was moved aside still has, and the store does not.
package struct AsideLook: Sendable, Hashable {
  /// The path of the file.
  package let path: String
  /// True when the next program that opens the store for writing takes over what it can read.
  package let waits: Bool
  /// Values that no source can give again and that are not in the store.
  package private(set) var missing = 0
  /// False when parts of the file cannot be read, or not without leaving a trace.
  package private(set) var isWhole = true

  /// Looks at a file, and for each of its values at the store.
  ///
  /// Cost: a read of the file.
  init(at path: String, waits: Bool, of store: ContentLook) {
    (self.path, self.waits) = (path, waits)
    let look = ContentLook(
      file: DatabaseFile(
        path: path, access: .readOnly, busyTimeout: store.file.busyTimeout, maximumSize: nil),
      now: store.now)
    guard look.isReadable else {
      isWhole = false
      return
    }
    do throws(SQLiteError) {
      try look.withConnection { (file) throws(SQLiteError) in try compare(file, with: store) }
    } catch {
      isWhole = false
    }
  }

  private mutating func compare(
    _ file: borrowing Connection, with store: ContentLook
  ) throws(SQLiteError) {
    guard try file.isStore() else {
      isWhole = false
      return
    }
    var contents = Salvage.Contents()
    Salvage.read(file, &contents)
    isWhole = contents.lost == 0
    var names: [(collection: String, key: String)] = []
    let isReadable = try SourcelessRecords.read(file, at: store.now.wall) { record, _ in
      names.append((record.content.collection, record.content.key))
    }
    isWhole = isWhole && isReadable
    missing = count(of: names, notIn: store)
  }

  /// All of them where the store cannot be read.
  private func count(of names: [(collection: String, key: String)], notIn store: ContentLook)
    -> Int
  {
    guard !names.isEmpty, store.isReadable else { return names.count }
    do throws(SQLiteError) {
      return try store.withConnection { (connection) throws(SQLiteError) in
        guard try connection.isStore() else { return names.count }
        var missing = 0
        for name in names
        where try !connection.hasRow(.hasRecord, name.collection, name.key) {
          missing += 1
        }
        return missing
      }
    } catch {
      return names.count
    }
  }
}

extension Connection {
  /// True for a store that this program can read; statements then omit the columns that it lacks.
  fileprivate func isStore() throws(SQLiteError) -> Bool {
    let version = try formatVersion()
    guard try integer("PRAGMA application_id") == DatabaseSchema.applicationIdentifier,
      version <= DatabaseSchema.version,
      try DatabaseSchema.shape(of: self, version: version) == .ours
    else { return false }
    reads(version: version)
    return true
  }
}

extension SQL {
  fileprivate static let hasRecord = SQL(
    "SELECT 1 FROM record WHERE collection = ?1 AND key = ?2 AND \(RecordFlags.isAnswer)")
}
