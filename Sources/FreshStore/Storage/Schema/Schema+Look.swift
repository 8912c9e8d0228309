/// Whether a file has the shape that the migrations make, and nothing beside it.
///
/// A file that only bears our mark may hold what acts when it is read or written: a trigger that deletes
/// what is stored, a view that never ends in the place of a table, an expression in a column or an index
/// (https://sqlite.org/security.html). None of it comes to run, because no statement is made for such a
/// file.
extension Schema {
  /// What stands in a file that bears our mark.
  package enum Shape: Equatable {
    /// What the migrations make.
    case ours
    /// The same tables and indexes, differently made, or not all of them: no version ever did that, a
    /// damaged page does.
    case damaged
    /// Something that no migration makes.
    case foreign
  }

  /// Looks at the definitions of a file of that version.
  package static func shape(
    of connection: borrowing Connection, version: Int
  ) throws(SQLiteError) -> Shape {
    if try isAsMade(connection, version: version) { return .ours }
    var missing = definitions(of: version)
    var isDamaged = false
    let isForeign = try connection.withStatement(.definitions) {
      (statement) throws(SQLiteError) in
      while try statement.step() {
        if isInternal(statement) { continue }
        guard let expected = missing.removeValue(forKey: statement.text(0)) else { return true }
        if !statement.text(1).utf8.elementsEqual(expected) { isDamaged = true }
      }
      return false
    }
    if isForeign { return .foreign }
    return isDamaged || !missing.isEmpty ? .damaged : .ours
  }

  /// True where the definitions stand in the order in which the migrations make them, as they do unless
  /// somebody vacuumed the file: a quick look at each opening.
  private static func isAsMade(
    _ connection: borrowing Connection, version: Int
  ) throws(SQLiteError) -> Bool {
    var script = SchemaScript(version: version)
    return try connection.withStatement(.definitions) { (statement) throws(SQLiteError) in
      while try statement.step() {
        if isInternal(statement) { continue }
        guard let expected = script.next(), statement.text(1).utf8.elementsEqual(expected) else {
          return false
        }
      }
      return script.next() == nil
    }
  }

  /// The statements that make a schema, as SQLite keeps them, by the name of what they make.
  private static func definitions(of version: Int) -> [String: ArraySlice<UInt8>] {
    var script = SchemaScript(version: version)
    var made: [String: ArraySlice<UInt8>] = [:]
    while let statement = script.next() {
      let words = statement.prefix { $0 != UInt8(ascii: "(") }.split(separator: UInt8(ascii: " "))
      made[String(decoding: words[2], as: UTF8.self)] = statement
    }
    return made
  }

  /// True for what SQLite keeps for itself: the last numbers, what ANALYZE found, the indexes of UNIQUE.
  private static func isInternal(_ row: borrowing Statement) -> Bool {
    row.isNull(1) || ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4"].contains(row.text(0))
  }
}

extension SQL {
  fileprivate static let definitions = SQL("SELECT name, sql FROM sqlite_schema")
}
