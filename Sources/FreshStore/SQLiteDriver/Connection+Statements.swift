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

  /// Runs a statement, whatever rows it returns.
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
