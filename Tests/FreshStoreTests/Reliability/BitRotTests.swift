import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Bits flip anywhere in the file of a store with many records, marks and a local write: a served value
/// is then the stored one.
///
/// `FRESHSTORE_FLIPS` flips more of them.
@Suite struct BitRotTests {
  private static var flips: Int {
    ProcessInfo.processInfo.environment["FRESHSTORE_FLIPS"].flatMap { Int($0) } ?? 200
  }

  private static let keys = (0..<40).map { "key \($0)" }

  private let clock = ManualClock()

  private func open(_ path: String) throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.clock = clock
    configuration.fileSystem = DiskFileSystem.name
    // A damaged file may have lost local writes; here only served values count.
    configuration.acceptsLostWrites = true
    return try Store(path: path, configuration: configuration)
  }

  private func value(_ number: Int) -> [UInt8] {
    (0..<(number * 137 % 3000)).map { UInt8(truncatingIfNeeded: $0 * 7 + number) }
  }

  /// The bytes of a closed store.
  private func store() async throws -> Data {
    let folder = try DiskFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    for (number, key) in Self.keys.enumerated() {
      let details = FetchDetails(
        expiry: .after(.seconds(100 + number)), tags: number.isMultiple(of: 5) ? ["red"] : [])
      try await bytes.put(value(number), for: key, details: details, durability: .normal)
    }
    try await store.markStale(tag: "red")
    try await bytes.markStale("key 1")
    try await bytes.write([1, 2, 3], for: "written")
    try await store.close()
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func `no flipped bit in a file leads to a wrong served value`() async throws {
    let whole = try await store()
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    var (served, refused) = (0, 0)
    for _ in 0..<Self.flips {
      let bit = Int.random(in: 0..<whole.count * 8, using: &generator)
      var rotten = whole
      rotten[bit / 8] ^= 1 << UInt8(bit % 8)
      let folder = try DiskFolder()
      let path = folder.file("store.db")
      try rotten.write(to: URL(fileURLWithPath: path))
      let failure = await storeFailure {
        let store = try open(path)
        let bytes = try store.bytes("bytes")
        for (number, key) in Self.keys.enumerated() {
          let reading = try bytes.read(key)
          guard let copy = reading.copy else {
            refused += 1
            continue
          }
          served += 1
          #expect(copy.value == value(number), "seed \(seed), bit \(bit), \(key)")
          #expect(copy.expiry == .after(.seconds(100 + number)), "seed \(seed), bit \(bit), \(key)")
        }
        if let local = try bytes.read("written").copy { #expect(local.value == [1, 2, 3]) }
        try await store.close()
      }
      if failure != nil { refused += 1 }
    }
    #expect(served > 0 && refused > 0, "seed \(seed)")
  }
}
