import FreshStoreTesting
import StoreSupport
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// A column that a later version adds is one line of the description and one step of the schema.
@Suite struct GrowingSchemaTests {
  @Test func `the description of an added column agrees with SQLite's`() throws {
    let folder = try TemporaryFolder()
    let raw = try RawDatabase(folder.file("store.db"))
    let step = """
      ALTER TABLE record ADD COLUMN first INTEGER;
      ALTER TABLE base ADD COLUMN first INTEGER;
      ALTER TABLE record ADD COLUMN second TEXT;
      ALTER TABLE lease ADD COLUMN third INTEGER;
      ALTER TABLE state ADD COLUMN fourth TEXT;
      """
    for script in DatabaseSchema.migrations + [step] { try raw.execute(script) }

    let kept = try raw.rows(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'")
    var script = SchemaScript(DatabaseSchema.migrations + [step])
    var made: [[String]] = []
    while let next = script.next() { made.append([String(decoding: next, as: UTF8.self)]) }

    #expect(made == kept)
    // Beside the described columns: the row, two places, the value, and the two of the step.
    let count = RecordColumns.all.names.count + 4 + 2
    #expect(try raw.integer("SELECT count(*) FROM pragma_table_info('record')") == count)
    #expect(try raw.rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `a column that a row does not have yet leaves its checksum unchanged`() {
    var (before, without, with) = (RecordSum(), RecordSum(), RecordSum())
    var (number, text, none, nothing) = (Int64?(0), String?(""), Int64?.none, String?.none)
    for sum in [0, 1, 2] {
      var key = "key"
      switch sum {
      case 0: before.text("key", &key)
      case 1: without.text("key", &key)
      default: with.text("key", &key)
      }
    }
    without.added("first", &none, since: 2)
    without.added("second", &nothing, since: 2)
    with.added("first", &number, since: 2)

    #expect(before.checksum == without.checksum)
    #expect(before.checksum != with.checksum)
    let one = with.checksum
    with.added("second", &text, since: 2)
    #expect(one != with.checksum)
  }

  @Test func `the step to a version adds its columns to the record and to the base`() {
    var columns = RecordColumns()
    var (number, text) = (Int64?.none, String?.none)
    columns.text("key", &text)
    columns.added("first", &number, since: 2)
    columns.added("second", &text, since: 3)

    #expect(columns.names == ["key", "first", "second"])
    #expect(columns.definition == "key TEXT")
    #expect(
      columns.step(to: 2)
        == "ALTER TABLE record ADD COLUMN first INTEGER;\nALTER TABLE base ADD COLUMN first INTEGER;"
    )
    #expect(columns.step(to: 3).hasPrefix("ALTER TABLE record ADD COLUMN second TEXT;"))
  }

  @Test func `a row without an added column is recovered from a damaged file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let raw = try RawDatabase(path)
    try raw.execute(DatabaseSchema.migrations[0])
    do {
      let connection = try Connection(path: path, access: .readWrite, busyTimeout: .zero)
      let row = DamagedTree.Row(
        number: 7, values: [.null, .integer(1), .integer(2), .integer(0)])
      try ScavengedTable.failure.insert(row, connection)
    }
    #expect(try raw.rows("SELECT record, failures, message FROM failure") == [["7", "1", ""]])
    #expect(try raw.rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `an unknown field of details is preserved`() {
    var details = RecordDetails()
    details.source = "s"
    details.graceOnError = .milliseconds(-5)
    details.fetchCost = .min
    let known = details.encoded
    var read = RecordDetails(encoded: known + [200, 1, 9])

    #expect(read.encoded == known + [200, 1, 9])
    #expect(read.source == "s" && read.fetchCost == .min)
    #expect(read.graceOnError == .milliseconds(-5))
    read.source = nil
    #expect(read.encoded.suffix(3) == [200, 1, 9])
  }

  @Test(arguments: [[4], [4, 9], [4, 0x80], [10, 0], [0, 0], [255]] as [[UInt8]])
  func `invalid details cause no trap, and are not discarded`(_ bytes: [UInt8]) {
    let details = RecordDetails(encoded: bytes)
    #expect(details.source == nil)
    #expect(!details.encoded.isEmpty)
  }
}
