/// The statements of one connection, each prepared once, at its first use.
///
/// They are indexed by the numbers of their ``SQL``, so that no search is needed.
final class StatementCache {
  private final class Slot {
    let statement: Statement

    init(_ statement: consuming Statement) {
      self.statement = statement
    }
  }

  private var slots: [Slot?] = []
  /// Columns of the table `r` that the file does not have.
  var missingColumns: [String] = []

  /// Lends the prepared statement of `sql` and resets it afterwards.
  func withStatement<Result: ~Copyable>(
    _ sql: SQL, on database: OpaquePointer,
    _ body: (borrowing Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let slot = try unsafe slot(of: sql, on: database)
    defer { slot.statement.reset() }
    return try body(slot.statement)
  }

  /// As ``withStatement(_:on:_:)``, for a body that resets the statement itself.
  func withLendingStatement<Result: ~Copyable>(
    _ sql: SQL, on database: OpaquePointer,
    _ body: (borrowing Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try body(unsafe slot(of: sql, on: database).statement)
  }

  private func slot(
    of sql: SQL, on database: OpaquePointer
  ) throws(SQLiteError) -> Slot {
    let slot: Slot
    if sql.number < slots.count, let kept = slots[sql.number] {
      slot = kept
    } else {
      slot = Slot(try unsafe Statement(text(of: sql), on: database))
      if sql.number >= slots.count {
        slots += Array(repeating: nil, count: sql.number + 1 - slots.count)
      }
      slots[sql.number] = slot
    }
    return slot
  }

  /// Expects that each such column has its table as a prefix, and is not the last.
  private func text(of sql: SQL) -> String {
    guard !missingColumns.isEmpty else { return sql.text }
    return missingColumns.reduce(sql.text) { text, column in
      text.split(separator: "r.\(column),", omittingEmptySubsequences: false)
        .joined(separator: "NULL,")
    }
  }

  /// Finalises every statement; required before the connection can close.
  func removeAll() {
    slots.removeAll()
  }
}
