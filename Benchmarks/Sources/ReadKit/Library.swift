internal import BenchmarkKit
public import Foundation
internal import FreshStore
internal import Strategies

/// A store with the records to read, in a folder of its own.
public struct Library: Sendable {
  /// The store's file.
  public let path: String
  /// The number of its records.
  public let count: Int

  /// Takes an existing one.
  public init(at path: String, records: Int) {
    self.path = path
    count = records
  }

  /// Makes one, in a new folder in the given one.
  public init(
    records: Int, in base: URL = FileManager.default.temporaryDirectory
  ) async throws {
    let folder = base.appending(path: "reads-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.init(at: folder.appending(path: "store.db").path, records: records)
    let store = try Store(path: path)
    let people = try store.collection("people", of: Person.self)
    for first in stride(from: 0, to: records, by: 500) {
      var part: [String: Person] = [:]
      for number in first..<min(first + 500, records) { part["user:\(number)"] = Person(number) }
      try await people.put(
        part, details: FetchDetails(expiry: .after(.seconds(86_400))), durability: .normal)
    }
    try await store.close()
  }

  /// Removes the folder.
  public func remove() {
    // A leftover lies in the directory for temporary files.
    try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
  }
}
