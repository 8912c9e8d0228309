/// Reads the definitions of the migrations, one after the other, as SQLite keeps them.
struct SchemaScript {
  /// The remaining definitions: the text of the first migration, which only creates objects, as
  /// every open reads it; or definitions to which later migrations have added something.
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
