internal import FreshStore

/// What a look into a database file came to.
package enum FoundContent: Sendable, Hashable {
  /// There is no file.
  case missing
  /// There is no folder for it either.
  case folderMissing
  /// What is there is no regular file.
  case notAFile
  /// The file has no content.
  case empty
  /// It may not be read, or not be looked at; the system's words.
  case unreadable(String)
  /// It is no SQLite database.
  case notADatabase
  /// It is the database of another program.
  case foreign
  /// A store of before the first version of the format.
  case former
  /// It was written by a newer version.
  case newer(found: Int, supported: Int)
  /// Somebody keeps everybody else out of it.
  case locked(holder: String?)
  /// It contradicts itself; SQLite's words.
  case damaged(String)
  /// Its log was left behind without the index to it, which only whoever writes may make anew.
  case interrupted
  /// SQLite refused for another reason; its words.
  case failed(String)
  /// It is a store.
  case store(StoreFacts)
}
