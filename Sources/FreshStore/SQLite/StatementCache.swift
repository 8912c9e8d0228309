/// The statements of one connection, each prepared once, at its first use.
///
/// Keyed by the identity of the ``SQL``, so a look-up hashes one word.
final class StatementCache {
  private final class Slot {
    let statement: Statement

    init(_ statement: consuming Statement) {
      self.statement = statement
    }
  }

  private var slots: [ObjectIdentifier: Slot] = [:]

  /// Lends the prepared statement of `sql` and resets it afterwards.
  func withStatement<Result: ~Copyable>(
    _ sql: SQL, on database: OpaquePointer,
    _ body: (borrowing Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let identity = ObjectIdentifier(sql)
    let slot: Slot
    if let kept = slots[identity] {
      slot = kept
    } else {
      slot = Slot(try unsafe Statement(sql.text, on: database))
      slots[identity] = slot
    }
    defer { slot.statement.reset() }
    return try body(slot.statement)
  }

  /// Finalises every statement; needed before the connection can close.
  func removeAll() {
    slots.removeAll()
  }
}
