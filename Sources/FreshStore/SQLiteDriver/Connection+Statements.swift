internal import Synchronization

/// A value that can be a parameter of a statement.
package protocol Bindable {
  func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError)
}

extension Int64: Bindable {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Bool: Bindable {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension String: Bindable {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension [UInt8]: Bindable {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
    switch self {
    case .some(let value): try value.bind(to: statement, at: index)
    case .none: try statement.bindNull(at: index)
    }
  }
}

/// Statements with their parameters, which count from 1.
extension Connection {
  /// Lends the prepared statement of `sql`, which is prepared at its first use, with its first parameters
  /// bound, and resets it afterwards.
  package borrowing func withStatement<Result: ~Copyable, each Parameter: Bindable>(
    _ sql: SQL, _ parameters: repeat each Parameter,
    body: (borrowing Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try unsafe statements.withStatement(sql, on: handle) { (statement) throws(SQLiteError) in
      var index: Int32 = 0
      for parameter in repeat each parameters {
        index += 1
        try parameter.bind(to: statement, at: index)
      }
      return try body(statement)
    }
  }

  /// Runs a statement, and ignores its rows.
  package borrowing func run<each Parameter: Bindable>(
    _ sql: SQL, _ parameters: repeat each Parameter
  ) throws(SQLiteError) {
    try withStatement(sql, repeat each parameters) { (statement) throws(SQLiteError) in
      try statement.run()
    }
  }

  /// Runs a statement; true when it returns a row.
  package borrowing func hasRow<each Parameter: Bindable>(
    _ sql: SQL, _ parameters: repeat each Parameter
  ) throws(SQLiteError) -> Bool {
    try withStatement(sql, repeat each parameters) { (statement) throws(SQLiteError) in
      try statement.step()
    }
  }

  /// The first row of a statement; `nil` without one.
  package borrowing func first<Row, each Parameter: Bindable>(
    _ sql: SQL, _ parameters: repeat each Parameter,
    row: (borrowing Statement) throws(SQLiteError) -> Row
  ) throws(SQLiteError) -> Row? {
    try withStatement(sql, repeat each parameters) { (statement) throws(SQLiteError) in
      try statement.step() ? try row(statement) : nil
    }
  }

  /// All rows of a statement.
  package borrowing func rows<Row, each Parameter: Bindable>(
    _ sql: SQL, _ parameters: repeat each Parameter,
    row: (borrowing Statement) throws(SQLiteError) -> Row
  ) throws(SQLiteError) -> [Row] {
    try withStatement(sql, repeat each parameters) { (statement) throws(SQLiteError) in
      var rows: [Row] = []
      while try statement.step() { rows.append(try row(statement)) }
      return rows
    }
  }
}

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

  /// The same for a body that resets the statement itself.
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

/// One SQL statement of the package: a constant, prepared once per connection and found again by
/// its number.
///
/// Instances are static constants beside the operation that runs them; none is ever built from
/// data, so no value can become SQL.
package final class SQL: Sendable {
  let text: String
  /// A unique small number: the count of the statements made before it.
  let number: Int

  private static let made = Atomic(0)

  package init(_ text: String) {
    self.text = text
    number = Self.made.add(1, ordering: .relaxed).oldValue
  }
}
