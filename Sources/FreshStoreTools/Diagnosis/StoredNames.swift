internal import FreshStore
internal import Platform
internal import Strategies

/// The names in a store, for example for command-line completion.
///
/// Fast and silent: it reads a bounded number of entries of the key index, and creates or changes nothing. A store
/// that cannot be read, for any reason, has no names.
package struct StoredNames: Sendable {
  private let look: ContentLook

  /// Names of the store at `path`.
  package init(of path: String) {
    let file = DatabaseFile(
      reading: PathName.absolute(path), busyTimeout: .milliseconds(100))
    look = ContentLook(file: file, now: SystemClock().reading())
  }

  /// Names of collections that begin with `prefix`, in their order.
  package func collections(beginningWith prefix: String, limit: Int) -> [String] {
    names(beginningWith: prefix, limit, .firstCollection, .nextCollection)
  }

  /// Keys of a collection that begin with `prefix`, in their order.
  package func keys(of collection: String, beginningWith prefix: String, limit: Int) -> [String] {
    names(limit) { (connection, last) throws(SQLiteError) in
      guard last == nil else { return [] }
      return try connection.withStatement(.keys, collection, prefix, Int64(limit)) {
        (statement) throws(SQLiteError) in
        var keys: [String] = []
        while try statement.step() {
          let key = statement.text(0)
          guard key.utf8.starts(with: prefix.utf8) else { return keys }
          keys.append(key)
        }
        return keys
      }
    }
  }

  /// Tags that begin with `prefix`, in their order.
  package func tags(beginningWith prefix: String, limit: Int) -> [String] {
    names(beginningWith: prefix, limit, .firstTag, .nextTag)
  }

  /// Numbers of local writes, the oldest first.
  package func writes(limit: Int) -> [String] {
    names(limit) { (connection, last) throws(SQLiteError) in
      guard last == nil else { return [] }
      return try connection.rows(.writes, Int64(limit)) { "\($0.int(0))" }
    }
  }

  /// Jumps from one name to the next, however many records each has.
  private func names(
    beginningWith prefix: String, _ limit: Int, _ first: SQL, _ next: SQL
  ) -> [String] {
    names(limit) { (connection, last) throws(SQLiteError) in
      let name = try connection.first(last == nil ? first : next, last ?? prefix) {
        $0.optionalText(0)
      }
      guard let name = name ?? nil, name.utf8.starts(with: prefix.utf8) else { return [] }
      return [name]
    }
  }

  /// Queries more names after the last one, until there are no more or enough.
  private func names(
    _ limit: Int,
    _ more: (borrowing Connection, _ last: String?) throws(SQLiteError) -> [String]
  ) -> [String] {
    guard look.isReadable else { return [] }
    do throws(SQLiteError) {
      return try look.withConnection { (connection) throws(SQLiteError) in
        guard try connection.isStore() else { return [] }
        var names: [String] = []
        while names.count < limit {
          let found = try more(connection, names.last)
          if found.isEmpty { return names }
          names += found
        }
        return names
      }
    } catch {
      return []
    }
  }
}

extension SQL {
  fileprivate static let firstCollection = SQL(
    "SELECT min(collection) FROM record WHERE collection >= ?1")
  fileprivate static let nextCollection = SQL(
    "SELECT min(collection) FROM record WHERE collection > ?1")
  fileprivate static let firstTag = SQL("SELECT min(tag) FROM record_tag WHERE tag >= ?1")
  fileprivate static let nextTag = SQL("SELECT min(tag) FROM record_tag WHERE tag > ?1")
  fileprivate static let writes = SQL("SELECT id FROM outbox ORDER BY id LIMIT ?1")
  fileprivate static let keys = SQL(
    """
    SELECT key FROM record WHERE collection = ?1 AND key >= ?2 AND \(RecordFlags.isAnswer) ORDER BY key LIMIT ?3
    """)
}
