internal import BenchmarkKit
internal import Foundation
internal import GRDB
internal import ReadKit

/// GRDB.swift: a `DatabasePool` with its own settings, and cached statements.
final class GRDBPeer: Peer {
  private let corpus: Corpus
  private let place: Place
  private let traffic: [Traffic]
  private var pool: DatabasePool
  private var folder: URL

  init(_ corpus: Corpus, in place: Place) async throws {
    (self.corpus, self.place) = (corpus, place)
    traffic = (0..<3).map { _ in Traffic(records: corpus.keys.count) }
    (pool, folder) = try Self.open(in: place)
    _ = try await fill.measure(corpus.keys.count)
  }

  var reads: [Entrant] {
    [
      Entrant(
        "GRDB, then JSONDecoder",
        Contestant("", answer: "value") { [self] turns in values(turns) }),
      Entrant("GRDB, bytes", Contestant("", answer: "bytes") { [self] turns in bytes(turns) }),
    ]
  }

  var put: Entrant {
    Entrant("GRDB", note: "WAL, synchronous=NORMAL") { [self] turns in
      try await corpus.inTurns(turns, traffic[2]) { key, value in
        try write { database in try Self.put(key, value, database) }
      }
    }
  }

  var fill: Entrant {
    Entrant("GRDB", note: "WAL, synchronous=NORMAL") { [self] count in
      try begin()
      return try await corpus.inBatches(count) { batch in
        try write { database in
          for number in batch {
            try Self.put(corpus.keys[number], corpus.values[number], database)
          }
        }
      }
    }
  }

  func close() throws { try pool.close() }

  /// Waits on the caller's thread: GRDB's way to wait without it costs more.
  private func write(_ body: (Database) throws -> Void) throws { try pool.write(body) }

  private func bytes(_ turns: Int) -> Int {
    var sum = 0
    for _ in 0..<turns {
      // A missing record makes the sum negative, which ends the run.
      sum &+= (try? data(traffic[0].next()))?.count ?? -1_000_000_000_000
    }
    return sum
  }

  private func values(_ turns: Int) -> Int {
    var sum = 0
    let decoder = JSONDecoder()
    for _ in 0..<turns {
      // As above.
      guard let data = try? data(traffic[1].next()),
        let person = try? decoder.decode(Person.self, from: data)
      else { return -1 }
      sum &+= person.id
    }
    return sum
  }

  private func data(_ key: String) throws -> Data? {
    try pool.read { database in
      let sql = "SELECT value FROM record WHERE key = ?"
      return try Data.fetchOne(try database.cachedStatement(sql: sql), arguments: [key])
    }
  }

  private static func put(_ key: String, _ value: [UInt8], _ database: Database) throws {
    let sql = """
      INSERT INTO record VALUES (?, ?, 86400000, ?) ON CONFLICT (key) DO UPDATE SET
        last_update = excluded.last_update, expiry = excluded.expiry, value = excluded.value
      """
    let now = Int64(Date.now.timeIntervalSince1970 * 1000)
    try database.cachedStatement(sql: sql).execute(arguments: [key, now, Data(value)])
  }

  private func begin() throws {
    try pool.close()
    try FileManager.default.removeItem(at: folder)
    (pool, folder) = try Self.open(in: place)
  }

  private static func open(in place: Place) throws -> (DatabasePool, URL) {
    let folder = try place.room("grdb")
    let pool = try DatabasePool(path: folder.appending(path: "grdb.db").path)
    try pool.write { database in
      try database.execute(
        sql: """
          CREATE TABLE record (key TEXT PRIMARY KEY, last_update INTEGER NOT NULL,
            expiry INTEGER NOT NULL, value BLOB NOT NULL) STRICT, WITHOUT ROWID
          """)
    }
    return (pool, folder)
  }
}
