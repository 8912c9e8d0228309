import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore

/// Files of the schema before there were local writes.
@Suite struct OutboxMigrationTests {
  /// A file as the first version of the schema left it, with one record.
  private func oldFile(_ folder: TemporaryFolder) async throws -> String {
    let path = folder.file("store.db")
    let configuration = Configuration(reachability: .fixed(.online))
    let store = try Store(path: path, configuration: configuration)
    try await store.bytes("values").put(
      [1, 2, 3], for: "1", details: FetchDetails(expiry: .never, tags: ["t"]))
    try await store.close()
    let columns = """
      id, collection, key, kind, version, epoch, last_update, expiry, boot, boot_stamp, hard_end,
      grace_revalidating, grace_error, must_revalidate, stale_at, stale_reason, stale_epoch,
      entity_tag, last_modified, source, content_type, codec, content_version, variant, metadata,
      fetch_cost, tagged, size, content_checksum, checksum, queue_at, failures, next_attempt,
      failure, pending, pinned, value
      """
    let old = folder.file("old.db")
    let raw = try RawDatabase(old)
    try raw.execute("PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL")
    try raw.execute(Schema.migrations[0].description)
    try raw.execute(
      """
      PRAGMA application_id = \(Schema.applicationIdentifier); PRAGMA user_version = 1;
      ATTACH '\(path)' AS new;
      INSERT INTO record (\(columns)) SELECT \(columns) FROM new.record;
      INSERT INTO record_tag SELECT * FROM new.record_tag;
      """)
    return old
  }

  @Test func `a file of the first schema is brought to today's with its records`() async throws {
    let folder = try TemporaryFolder()
    let path = try await oldFile(folder)
    let store = try Store(
      path: path, configuration: Configuration(reachability: .fixed(.online)))
    let values = try store.bytes("values")

    #expect(try values.value("1") == [1, 2, 3])
    #expect(try values.explain("1").tags == ["t"])
    #expect(try values.state("1") == .fresh)
    try await values.write([4], for: "1")
    try await values.drain { write in
      #expect(write.base == [1, 2, 3])
      return .accepted
    }
    #expect(try values.value("1") == [4])
    #expect(try await store.check().isSound)
    try await store.close()
    #expect(try RawDatabase(path).integer("PRAGMA user_version") == Schema.version)
  }

  @Test func `one that is only read stays as it is, and has no local writes`() async throws {
    let folder = try TemporaryFolder()
    let path = try await oldFile(folder)
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = .readOnly
    let store = try Store(path: path, configuration: configuration)

    #expect(try store.bytes("values").value("1") == [1, 2, 3])
    #expect(try store.outbox().isEmpty)
    #expect(try store.nextWriteDue() == nil)
    #expect(try store.statistics().waitingWrites == 0)
    try await store.close()
    #expect(try RawDatabase(path).integer("PRAGMA user_version") == 1)
  }
}
