internal import Foundation
internal import FreshStore
internal import Strategies

/// A store of one gigabyte: records of 10,000 bytes.
struct LargeStore {
  static let valueSize = 10_000

  let folder: URL
  var path: String { folder.appending(path: "store.db").path }

  init(count: Int) async throws {
    let base =
      ProcessInfo.processInfo.environment["OPENING_FOLDER"].map { URL(filePath: $0) }
      ?? FileManager.default.temporaryDirectory
    folder = base.appending(path: "opening-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try Store(path: folder.appending(path: "store.db").path)
    let people = try store.bytes("people")
    let value = [UInt8](repeating: 120, count: Self.valueSize)
    for first in stride(from: 0, to: count, by: 200) {
      let part = (first..<min(first + 200, count)).map { ("user:\($0)", value) }
      try await people.put(
        Dictionary(uniqueKeysWithValues: part),
        details: FetchDetails(expiry: .after(.seconds(86_400))), durability: .normal)
    }
    try await store.close()
  }

  var size: Int {
    get throws {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }
}
