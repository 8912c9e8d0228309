/// Whether a file has the shape that the migrations make, and nothing beside it.
///
/// A file that only bears our mark may hold what acts when it is read or written: a trigger that deletes
/// what is stored, a view that never ends in the place of a table, an expression in a column or an index
/// (https://sqlite.org/security.html). None of it comes to run, because no statement is made for such a
/// file.
extension Schema {
  /// What stands in a file that bears our mark.
  enum Shape: Equatable {
    /// What the migrations make.
    case ours
    /// The same tables and indexes, differently made, or not all of them: no version ever did that, a
    /// damaged page does.
    case damaged
    /// Something that no migration makes.
    case foreign
  }

  /// Looks at the definitions of a file of that version.
  static func shape(
    of connection: borrowing Connection, version: Int
  ) throws(SQLiteError) -> Shape {
    var missing = definitions(of: version)
    var isDamaged = false
    let isForeign = try connection.withStatement(.definitions) {
      (statement) throws(SQLiteError) in
      while try statement.step() {
        let name = statement.text(0)
        // What SQLite keeps for itself: the last numbers, what ANALYZE found, the indexes of UNIQUE.
        if internalTables.contains(name) || statement.isNull(1) { continue }
        guard let expected = missing.removeValue(forKey: name) else { return true }
        if statement.text(1) != expected { isDamaged = true }
      }
      return false
    }
    if isForeign { return .foreign }
    return isDamaged || !missing.isEmpty ? .damaged : .ours
  }

  /// The statements that make a schema, as SQLite keeps them, by the name of what they make.
  private static func definitions(of version: Int) -> [String: String] {
    versions.prefix(max(0, version)).reduce(into: [:]) { all, new in
      all.merge(new) { _, last in last }
    }
  }

  /// What each migration makes. Each only creates; one that alters will have to say what comes of it.
  private static let versions: [[String: String]] = migrations.map { script in
    let statements = script.description.utf8.split(separator: UInt8(ascii: ";"))
    return statements.lazy.map { trimmed(Substring($0)) }.reduce(into: [:]) { made, statement in
      let words = statement.prefix { $0 != "(" }.split(separator: " ")
      guard words.count > 2, words[0] == "CREATE" else { return }
      made[String(words[2])] = statement
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let head = text.drop(while: \.isWhitespace)
    return head.lastIndex { !$0.isWhitespace }.map { String(head[...$0]) } ?? ""
  }

  private static let internalTables: Set = ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4"]
}

extension SQL {
  fileprivate static let definitions = SQL("SELECT name, sql FROM sqlite_schema")
}
