import Foundation
import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore

/// The log of a store that was not closed is truncated, and bits of it flip. SQLite does not report it:
/// the rest must be the result of some number of the puts, and never anything else.
///
/// `FRESHSTORE_STRIDE=1` cuts at every byte, otherwise at every 509th and around the frames' ends.
@Suite struct LogDamageTests {
  private static let puts = 12

  private struct Files {
    let database: Data
    let log: Data
  }

  private func open(_ path: String) throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.clock = ManualClock()
    configuration.fileSystem = DiskFileSystem.name
    return try Store(path: path, configuration: configuration)
  }

  /// The files of a store while it is open: each put changes one record and adds another.
  private func files() async throws -> Files {
    let folder = try DiskFolder()
    let path = folder.file("store.db")
    try await open(path).close()
    let store = try open(path)
    let values = try store.collection("values", of: Int.self)
    for number in 1...Self.puts {
      try await values.put(["last": number, "\(number)": number], durability: .normal)
    }
    let files = Files(
      database: try Data(contentsOf: URL(fileURLWithPath: path)),
      log: try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    try await store.close()
    return files
  }

  /// The error of a store with this log; `nil` when it is the result of some number of puts.
  private func complaint(_ database: Data, _ log: Data) async throws -> String? {
    let folder = try DiskFolder()
    let path = folder.file("store.db")
    try database.write(to: URL(fileURLWithPath: path))
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    let store = try open(path)
    guard store.health.movedAside.isEmpty else { return "damaged" }
    let values = try store.collection("values", of: Int.self)
    let last = try values.read("last").copy?.value ?? 0
    for number in 1...Self.puts {
      let found = try values.read("\(number)").copy?.value
      guard found == (number <= last ? number : nil) else {
        return "after \(last) puts \(number) is \(found.map { "\($0)" } ?? "missing")"
      }
    }
    let check = try await store.check()
    try await store.close()
    return check.isSound ? nil : "\(check.findings)"
  }

  @Test func `a truncated log holds the first puts, and no part of another`()
    async throws
  {
    let files = try await files()
    let given = ProcessInfo.processInfo.environment["FRESHSTORE_STRIDE"].flatMap { Int($0) }
    var places = Set(stride(from: 0, through: files.log.count, by: given ?? 509))
    for frame in stride(from: 32, through: files.log.count, by: 4096 + 24) {
      let near = [-1, 0, 1, 8, 24, 25].map { frame + $0 }
      places.formUnion(near.filter { $0 <= files.log.count })
    }
    for place in places.sorted() {
      let complaint = try await complaint(files.database, files.log.prefix(place))
      #expect(complaint == nil, "cut at \(place) of \(files.log.count)")
    }
  }

  @Test(arguments: [1 as UInt64, 2]) func `a flipped bit in the log leads to no wrong value`(
    _ seed: UInt64
  ) async throws {
    let files = try await files()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let bit = Int.random(in: 0..<files.log.count * 8, using: &generator)
      var log = files.log
      log[bit / 8] ^= 1 << UInt8(bit % 8)
      let complaint = try await complaint(files.database, log)
      #expect(complaint == nil, "bit \(bit)")
    }
  }

  @Test(arguments: [Data(), Data(repeating: 0x5a, count: 32768)])
  func `missing or random shared memory is rebuilt`(_ shared: Data) async throws {
    let files = try await files()
    let folder = try DiskFolder()
    let path = folder.file("store.db")
    try files.database.write(to: URL(fileURLWithPath: path))
    try files.log.write(to: URL(fileURLWithPath: path + "-wal"))
    try shared.write(to: URL(fileURLWithPath: path + "-shm"))
    let store = try open(path)
    let last = try store.collection("values", of: Int.self).read("last").copy?.value
    #expect(last == Self.puts)
    #expect(try await store.check().isSound)
    try await store.close()
  }
}
