internal import FreshStore

/// The result of inspecting a database file.
package enum FoundContent: Sendable, Hashable {
  /// There is no file.
  case missing
  /// There is no folder for it either.
  case folderMissing
  /// It is not a regular file.
  case notAFile
  /// The file has no content.
  case empty
  /// It may not be read, or not be inspected; with the system's message.
  case unreadable(String)
  /// It is not a SQLite database.
  case notADatabase
  /// It is the database of another program.
  case foreign
  /// It is a store with something of another program in it.
  case foreignObject(kind: String, name: String)
  /// A store from before the first version of the format.
  case former
  /// It was written by a newer version.
  case newer(found: Int, supported: Int)
  /// Another process locks all others out.
  case locked(holder: String?)
  /// It is inconsistent; with SQLite's message.
  case damaged(String)
  /// Its log was left behind without its index, which only a writer may rebuild.
  case interrupted
  /// SQLite refused for another reason; with its message.
  case failed(String)
  /// It is a store.
  case store(StoreFacts)
}
