internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Strategies

/// A folder with a store in it and copies of the store, all fully synced.
public struct Place: Sendable {
  private let folder: URL
  private let template: String
  /// The number of records in the store.
  public let count: Int

  /// Makes the store: keys `user:<i>`, fresh for a day, and others that have expired.
  public init(records: Int, expired: Int = 0, tags: Set<String>? = nil) async throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    template = folder.appending(path: "template.db").path
    count = records
    let store = try Store(path: template)
    let people = try store.collection("people", of: Person.self)
    let day = FetchDetails(expiry: .after(.seconds(86_400)), tags: tags)
    try await Self.fill(people, "user:", records, day)
    try await Self.fill(
      people, "old:", expired, FetchDetails(expiry: .after(.milliseconds(1))))
    try await store.close()
  }

  private static func fill(
    _ people: RecordCollection<Person>, _ prefix: String, _ count: Int, _ details: FetchDetails
  ) async throws {
    for first in stride(from: 0, to: count, by: 1000) {
      var part: [String: Person] = [:]
      for number in first..<min(first + 1000, count) {
        part["\(prefix)\(number)"] = Person(number)
      }
      try await people.put(part, details: details, durability: .normal)
    }
  }

  /// Makes a copy to work on.
  public func copy(_ name: String) throws -> String {
    let copy = folder.appending(path: "\(name).db").path
    for suffix in ["", "-wal", "-shm", "-sweep"] {
      // A missing file need not be removed.
      try? FileManager.default.removeItem(atPath: copy + suffix)
    }
    try FileManager.default.copyItem(atPath: template, toPath: copy)
    sync()
    return copy
  }

  /// Removes the folder.
  public func remove() throws { try FileManager.default.removeItem(at: folder) }
}
