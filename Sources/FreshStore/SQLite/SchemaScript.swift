/// Reads what the migrations make, one definition after the other, as SQLite keeps it.
struct SchemaScript {
  private var definitions: ArraySlice<[UInt8]>

  /// Read once: every opening asks for it.
  private static let current = SchemaScript(Schema.migrations)

  /// What leads to a version of the schema.
  init(version: Int) {
    self =
      version == Schema.version
      ? Self.current : SchemaScript(Schema.migrations.prefix(max(0, version)))
  }

  init(_ migrations: some Sequence<String>) {
    var made: [[UInt8]] = []
    for script in migrations {
      for statement in script.utf8.split(separator: UInt8(ascii: ";")) {
        let statement = Array(
          statement.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") })
        if statement.starts(with: "CREATE ".utf8) {
          made.append(statement)
        } else if let column = AddedColumn(statement) {
          made = made.map(column.added)
        }
      }
    }
    definitions = made[...]
  }

  /// The next definition; `nil` after the last.
  mutating func next() -> ArraySlice<UInt8>? { definitions.popFirst()?[...] }
}

/// What `ALTER TABLE … ADD COLUMN …` does to the definition of its table: SQLite puts the column behind
/// the last one, before what is said of the table as a whole
/// (https://sqlite.org/lang_altertable.html, section 4).
private struct AddedColumn {
  private let table: [UInt8]
  private let column: [UInt8]

  init?(_ statement: [UInt8]) {
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
    // Before the comma ahead of the constraint, or before the bracket at the end.
    let place = constraint.map { $0.startIndex - 2 } ?? definition.lastIndex(of: UInt8(ascii: ")"))
    guard let place else { return definition }
    return definition[..<place] + Array(", ".utf8) + column + definition[place...]
  }
}
