/// Checks that a file has the shape that the migrations create, and nothing else.
///
/// A file with only our application id may hold objects that act when it is read or written. Examples are a trigger
/// that deletes rows, a never-ending view in place of a table, or an expression in a column or an index. None of
/// them can run, because no statement is prepared for such a file (https://sqlite.org/security.html).
extension DatabaseSchema {
  /// The content of a file with our application id.
  package enum Shape: Equatable {
    /// The shape that the migrations create.
    case ours
    /// The same tables and indexes, but incomplete or with other definitions: no version ever
    /// creates that, a damaged page does.
    case damaged
    /// Contains an object that no migration creates; `nil` where it was not determined which.
    case foreign(ForeignObject?)
  }

  /// A table, an index, a view or a trigger of another program.
  package struct ForeignObject: Equatable, Sendable {
    package let kind: String
    package let name: String
  }

  /// Checks the definitions of a file of that version.
  package static func shape(
    of connection: borrowing Connection, version: Int
  ) throws(SQLiteError) -> Shape {
    if try isAsMade(connection, version: version) { return .ours }
    var missing = definitions(of: version)
    var isDamaged = false
    let foreign = try connection.withStatement(.definitions) {
      (statement) throws(SQLiteError) -> ForeignObject? in
      while try statement.step() {
        if isInternal(statement) { continue }
        guard let expected = missing.removeValue(forKey: statement.text(0)) else {
          return ForeignObject(kind: statement.text(2), name: statement.text(0))
        }
        if !statement.text(1).utf8.elementsEqual(expected) { isDamaged = true }
      }
      return nil
    }
    if let foreign { return .foreign(foreign) }
    return isDamaged || !missing.isEmpty ? .damaged : .ours
  }

  /// True where the definitions are in the order of the migrations, as they are unless the file was
  /// vacuumed: a fast check at each open.
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

  /// The statements of a schema, as SQLite keeps them, by the name of the object.
  private static func definitions(of version: Int) -> [String: ArraySlice<UInt8>] {
    var script = SchemaScript(version: version)
    var made: [String: ArraySlice<UInt8>] = [:]
    while let statement = script.next() {
      let words = statement.prefix { $0 != UInt8(ascii: "(") }.split(separator: UInt8(ascii: " "))
      made[String(decoding: words[2], as: UTF8.self)] = statement
    }
    return made
  }

  /// True for SQLite's internal objects: the last numbers, the results of ANALYZE, the indexes of UNIQUE.
  private static func isInternal(_ row: borrowing Statement) -> Bool {
    row.isNull(1) || ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4"].contains(row.text(0))
  }
}

/// Reads the definitions of the migrations, one after the other, as SQLite keeps them.
struct SchemaScript {
  /// The remaining definitions: the text of the first migration, which only creates objects, as every open reads
  /// it. Or definitions to which later migrations have added something.
  private enum Rest {
    case text(ArraySlice<UInt8>)
    case definitions(ArraySlice<[UInt8]>)
  }

  private var rest: Rest

  /// Reads the migrations up to a version of the schema.
  init(version: Int) { self.init(DatabaseSchema.migrations.prefix(max(0, version))) }

  init(_ migrations: some Collection<String>) {
    guard migrations.count > 1 else {
      rest = .text(Array((migrations.first ?? "").utf8)[...])
      return
    }
    var made: [[UInt8]] = []
    var text = Array(migrations.joined(separator: "\n").utf8)[...]
    while let statement = Self.statement(&text) {
      if statement.starts(with: "CREATE ".utf8) {
        made.append(Array(statement))
      } else if let column = AddedColumn(statement) {
        made = made.map(column.added)
      }
    }
    rest = .definitions(made[...])
  }

  /// The next definition; `nil` after the last.
  mutating func next() -> ArraySlice<UInt8>? {
    switch rest {
    case .definitions(var definitions):
      let next = definitions.popFirst()
      rest = .definitions(definitions)
      return next?[...]
    case .text(var text):
      defer { rest = .text(text) }
      while let statement = Self.statement(&text) {
        if statement.starts(with: "CREATE ".utf8) { return statement }
      }
      return nil
    }
  }

  private static func statement(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = text.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    defer { text = text[(end + 1)...] }
    return text[..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
  }
}

/// The effect of `ALTER TABLE … ADD COLUMN …` on the definition of its table: SQLite puts the
/// column behind the last one, before the table constraints
/// (https://sqlite.org/lang_altertable.html, section 4).
private struct AddedColumn {
  private let table: [UInt8]
  private let column: [UInt8]

  init?(_ statement: ArraySlice<UInt8>) {
    let words = statement.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard statement.starts(with: "ALTER TABLE ".utf8), words.count == 6 else { return nil }
    (table, column) = (Array(words[2]), Array(words[5]))
  }

  func added(to definition: [UInt8]) -> [UInt8] {
    guard definition.starts(with: Array("CREATE TABLE ".utf8) + table + Array(" (".utf8)) else {
      return definition
    }
    let lines = definition.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let constraint = lines.first { line in
      ["  UNIQUE (", "  PRIMARY KEY ("].contains { line.starts(with: $0.utf8) }
    }
    // Before the comma ahead of the constraint, or before the final bracket.
    let place = constraint.map { $0.startIndex - 2 } ?? definition.lastIndex(of: UInt8(ascii: ")"))
    guard let place else { return definition }
    return definition[..<place] + Array(", ".utf8) + column + definition[place...]
  }
}

extension SQL {
  fileprivate static let definitions = SQL("SELECT name, sql, type FROM sqlite_schema")
}
