internal import BenchmarkKit

/// A connection to PostgreSQL with the two prepared statements of a cache, whose parameters and results
/// are binary.
final class PostgreSQLConnection {
  private enum Status: Int32 {
    case done = 1
    case rows = 2
    case copying = 4
  }

  private let library: PostgreSQLLibrary
  private let connection: UInt

  /// Connects, with commits that do not wait for the disk.
  init(_ library: PostgreSQLLibrary, port: UInt16, password: String) throws {
    self.library = library
    let words = "host=127.0.0.1 port=\(port) user=peers dbname=postgres password=\(password)"
    connection = unsafe library.connect(words)
    guard library.status(connection) == 0 else { throw failure }
    try run("SET synchronous_commit = off; SET client_min_messages = warning")
  }

  deinit { library.finish(connection) }

  /// Makes the table anew, and the statements.
  func begin() throws {
    try run("DEALLOCATE ALL")
    try run("DROP TABLE IF EXISTS record")
    try run(
      """
      CREATE TABLE record (key text PRIMARY KEY, last_update timestamptz NOT NULL DEFAULT now(),
        expiry interval NOT NULL DEFAULT '1 day', value bytea NOT NULL)
      """)
    try prepare("get", "SELECT value FROM record WHERE key = $1")
    try prepare(
      "put",
      """
      INSERT INTO record (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET
        last_update = excluded.last_update, expiry = excluded.expiry, value = excluded.value
      """)
  }

  /// The length of a record's bytes; `nil` without a record.
  func length(of key: String) throws -> Int? {
    let result = try execute("get", [Array(key.utf8)], answers: .rows)
    defer { library.clear(result) }
    guard library.rows(result) == 1 else { return nil }
    return Int(library.length(result, 0, 0))
  }

  func put(_ key: String, _ value: [UInt8]) throws {
    library.clear(try execute("put", [Array(key.utf8), value], answers: .done))
  }

  /// Copies some records in, by one transaction.
  func copy(_ records: some Sequence<(key: String, value: [UInt8])>) throws {
    try run("COPY record (key, value) FROM STDIN (FORMAT binary)", answers: .copying)
    var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    for (key, value) in records {
      bytes += [0, 2]
      for field in [Array(key.utf8), value] {
        unsafe withUnsafeBytes(of: UInt32(field.count).bigEndian) { unsafe bytes += $0 }
        bytes += field
      }
    }
    bytes += [0xFF, 0xFF]
    guard unsafe library.copy(connection, bytes, Int32(bytes.count)) == 1,
      library.endCopy(connection, 0) == 1
    else { throw failure }
    var result = library.nextResult(connection)
    while result != 0 {
      try check(result, .done)
      library.clear(result)
      result = library.nextResult(connection)
    }
  }

  private func run(_ sql: String, answers status: Status = .done) throws {
    let result = unsafe library.run(connection, sql)
    defer { library.clear(result) }
    try check(result, status)
  }

  private func prepare(_ name: String, _ sql: String) throws {
    let result = unsafe library.prepare(connection, name, sql, 0, 0)
    defer { library.clear(result) }
    try check(result, .done)
  }

  /// The result, which the caller has to clear.
  private func execute(
    _ statement: String, _ values: [[UInt8]], answers status: Status
  ) throws -> UInt {
    let lengths = values.map { Int32($0.count) }
    let formats = values.map { _ in Int32(1) }
    let result = unsafe Self.lend(values) { pointers in
      unsafe library.executePrepared(
        connection, statement, Int32(values.count), pointers, lengths, formats, 1)
    }
    try check(result, status)
    return result
  }

  private static func lend(
    _ values: [[UInt8]], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> UInt
  ) -> UInt {
    unsafe values[0].withUnsafeBytes { first in
      unsafe values[values.count - 1].withUnsafeBytes { last in
        let pointers = unsafe [first, last].map {
          unsafe $0.baseAddress?.assumingMemoryBound(to: CChar.self)
        }
        return unsafe body(pointers)
      }
    }
  }

  private func check(_ result: UInt, _ status: Status) throws {
    guard library.resultStatus(result) == status.rawValue else { throw failure }
  }

  private var failure: BenchmarkFailure {
    let words = unsafe library.errorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    return BenchmarkFailure(words: "PostgreSQL answered \(words)")
  }
}
