import CSQLite
import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

@Suite struct ReadingConnectionTests {
  @Test func `a snapshot in which a read failed does not keep the log from being emptied`()
    async throws
  {
    let disk = FaultyDisk()
    let place = try DiskFolder(disk)
    let path = place.file("store.db")
    let store = try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
    let values = try store.bytes("values")
    try await values.put([1], for: "small")
    try await values.put(.init(repeating: 1, count: 100_000), for: "large")
    let file = DatabaseFile(
      path: path, access: .readWrite, busyTimeout: .seconds(1), maximumSize: nil,
      fileSystem: DiskFileSystem.name)
    var reading = ReadingConnection()
    var hasOpened = false
    while !hasOpened {
      hasOpened = try reading.record(of: "small", in: "values", on: file).hasOpened
    }
    disk.set(Fault(trouble: .device, number: 1, lasts: true))
    #expect(throws: SQLiteError.self) {
      _ = try reading.record(of: "large", in: "values", on: file)
    }
    disk.set(nil)

    try await values.put([2], for: "small")
    let raw = try RawDatabase(path)
    #expect(try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0")
    #expect(
      try reading.record(of: "small", in: "values", on: file).row?.record.content.value == [2])
    try await store.close()
  }

  @Test func `a file that changes all the time is busy, and is not waited for endlessly`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let file = DatabaseFile(
      path: path, access: .readOnly, busyTimeout: .zero, maximumSize: nil)
    var failure: SQLiteError?
    // The machine may be slow between the change and the look.
    for _ in 0..<1000 where failure == nil {
      try Data([1]).write(to: URL(filePath: path))
      do throws(SQLiteError) {
        _ = try file.settledStamp()
      } catch {
        failure = error
      }
    }
    #expect(failure == .overwritten)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
    #expect(try file.settledStamp() == file.stamp)
  }
}
