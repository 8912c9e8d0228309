import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// SQLite does not notice a flipped bit in a row; the rows' checksums do.
@Suite struct BitFlipTests {
  /// All but those of a mark, which this record does not have.
  private static let columns =
    RecordColumns.all.names.filter { !$0.hasPrefix("stale_") } + ["value"]

  /// A record with a value in every column that an answer depends on.
  private func fill(_ bytes: RecordCollection<[UInt8]>, _ value: [UInt8]) async throws {
    _ = try await bytes.get("key") { _ in
      .value(
        value,
        FetchDetails(
          expiry: .after(.seconds(500)), graceWhileRevalidating: .seconds(50),
          graceOnError: .seconds(60), hardEnd: .seconds(5000),
          validators: Validators(entityTag: "\"tag\"", lastModified: "Sat"), tags: ["news"],
          source: "source", contentType: "text/plain", variant: "en", metadata: "kept"))
    }
  }

  @Test(arguments: [1 as UInt64, 2]) func `none of 200 bits flipped in a row goes unnoticed`(
    _ seed: UInt64
  ) async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await fill(bytes, Array("the value of the record".utf8))
      let raw = try RawDatabase(temporary.path)
      try raw.execute("CREATE TABLE saved AS SELECT * FROM record")
      var generator = SeededGenerator(seed: seed)
      var unnoticed: [String] = []
      for _ in 0..<200 {
        let column = try #require(Self.columns.randomElement(using: &generator))
        let change = try flip(column, raw, &generator)
        try raw.execute("PRAGMA ignore_check_constraints = ON; UPDATE record SET \(change)")
        if try bytes.read("key").copy != nil { unnoticed.append(change) }
        try raw.execute("DELETE FROM record; INSERT INTO record SELECT * FROM saved")
      }

      #expect(unnoticed.isEmpty, "seed \(seed)")
      #expect(try bytes.state("key") == .fresh)
      try raw.execute("DROP TABLE saved")
    }
  }

  /// The assignment that flips one random bit of a column.
  private func flip(
    _ column: String, _ raw: RawDatabase, _ generator: inout SeededGenerator
  ) throws -> String {
    let found = try raw.rows("SELECT typeof(\(column)), hex(\(column)), \(column) FROM record")
    let row = try #require(found.first)
    switch row[0] {
    case "integer":
      var bit = Int.random(in: 0..<63, using: &generator)
      // The failures of fetches are stored beside the row, and no answer depends on them.
      if column == "flags", 1 << bit == RecordFlags.failing { bit += 1 }
      return "\(column) = \((Int64(row[2]) ?? 0) ^ (1 << bit))"
    case "text", "blob":
      var bytes = stride(from: 0, to: row[1].count, by: 2).map { offset in
        let start = row[1].index(row[1].startIndex, offsetBy: offset)
        return UInt8(row[1][start...].prefix(2), radix: 16) ?? 0
      }
      let bit = Int.random(in: 0..<bytes.count * 8, using: &generator)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return row[0] == "blob" ? "\(column) = x'\(hex)'" : "\(column) = CAST(x'\(hex)' AS TEXT)"
    default:
      return "\(column) = 5"
    }
  }

  @Test(arguments: [7 as UInt64, 8])
  func `none of 200 bits flipped in the file leads to a wrong value`(_ seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    func open() throws -> Store {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.clock = clock
      return try Store(path: folder.file("store.db"), configuration: configuration)
    }
    let value = (0..<3000).map { UInt8(truncatingIfNeeded: $0) }
    let first = try open()
    try await fill(first.bytes("bytes"), value)
    try await first.close()
    let path = URL(fileURLWithPath: folder.file("store.db"))
    let whole = try Data(contentsOf: path)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let bit = Int.random(in: 0..<whole.count * 8, using: &generator)
      try FileChaos.flip(bit: bit, ofFileAt: path.path)
      var reading: Reading<[UInt8]>?
      let failure = await storeFailure {
        let store = try open()
        reading = try store.bytes("bytes").read("key")
        try await store.close()
      }
      if let copy = reading?.copy {
        #expect(copy.value == value, "bit \(bit)")
        #expect(copy.expiry == .after(.seconds(500)), "bit \(bit)")
        #expect(copy.lastUpdate == clock.reading().wall, "bit \(bit)")
      } else {
        #expect(reading != nil || failure != nil)
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.removeItem(atPath: folder.file(name))
      }
      try whole.write(to: path)
    }
  }

  @Test(arguments: [
    ("", 0, 0xEF46_DB37_51D8_E999 as UInt64), ("a", 0, 0xD24E_C4F1_A98C_6E5B),
    ("abc", 0, 0x44BC_2CF5_AD77_0999),
    ("Nobody inspects the spammish repetition", 0, 0xFBCE_A83C_8A37_8BF1),
  ]) func `XXH64 gives the published sums`(_ text: String, _ seed: UInt64, _ sum: UInt64) {
    let found = unsafe Array(text.utf8).withUnsafeBytes { bytes in
      unsafe Checksum.hash(bytes, seed: seed)
    }
    #expect(found == sum)
  }

  @Test func `absent, empty and zero have different checksums`() {
    func sum(_ body: (inout Checksum) -> Void) -> UInt64 {
      var checksum = Checksum()
      body(&checksum)
      return checksum.value
    }
    let sums = [
      sum { $0.combine(nil as Int64?) }, sum { $0.combine(0 as Int64?) },
      sum { $0.combine(nil as String?) }, sum { $0.combine("" as String?) },
      sum { $0.combine("\0" as String?) },
      sum {
        $0.combine("a" as String?)
        $0.combine("b" as String?)
      },
      sum {
        $0.combine("ab" as String?)
        $0.combine("" as String?)
      },
    ]
    // A missing number and a missing text take the same step.
    #expect(Set(sums).count == sums.count - 1)
  }
}
