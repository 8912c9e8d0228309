internal import Foundation
internal import FreshStore
internal import Glibc
internal import Strategies

/// A store of many records, made by the store itself, so that every checksum and every index is
/// valid: 200 bytes each, every hundredth expired and the others fresh for a day.
struct LargeStore {
  let folder: URL
  let seconds: Double
  var path: String { folder.appending(path: "store.db").path }

  init(count: Int) async throws {
    let base =
      ProcessInfo.processInfo.environment["SWEEP_FOLDER"].map { URL(filePath: $0) }
      ?? FileManager.default.temporaryDirectory
    folder = base.appending(path: "sweep-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let start = ContinuousClock.now
    let store = try Store(path: folder.appending(path: "store.db").path)
    let records = try store.bytes("records")
    let value = [UInt8](repeating: 120, count: 200)
    for first in stride(from: 0, to: count, by: 100) {
      var lasting: [String: [UInt8]] = [:]
      for number in first + 1..<first + 100 { lasting["record/\(number)"] = value }
      try await records.put(
        lasting, details: FetchDetails(expiry: .after(.seconds(86_400))), durability: .normal)
      try await records.put(
        ["record/\(first)": value], details: FetchDetails(expiry: .after(.milliseconds(1))),
        durability: .normal)
    }
    try await store.close()
    seconds = (ContinuousClock.now - start) / .seconds(1)
  }

  /// Makes a copy to work on, which is fully synced to the disk.
  func copy() throws -> String {
    let copy = folder.appending(path: "copy.db").path
    for suffix in ["", "-wal", "-shm", "-sweep"] where unsafe access(copy + suffix, F_OK) == 0 {
      try FileManager.default.removeItem(atPath: copy + suffix)
    }
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    sync()
    return copy
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }
}
