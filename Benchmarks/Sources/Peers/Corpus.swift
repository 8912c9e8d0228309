internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// What all of them keep: the same keys, and the same bytes under each.
struct Corpus {
  /// The keys, in the order in which they are stored.
  let keys: [String]
  /// The bytes under each.
  let values: [[UInt8]]
  /// So many records go into one transaction where many are stored.
  static let batch = 1000

  init(records: Int) throws {
    keys = (0..<records).map { "user:\($0)" }
    let encoder = JSONEncoder()
    values = try (0..<records).map { [UInt8](try encoder.encode(Person($0))) }
  }

  /// Does something with one batch after the other and says how long it took.
  func inBatches(_ count: Int, _ body: (Range<Int>) async throws -> Void) async rethrows -> Duration
  {
    let start = ContinuousClock.now
    for first in stride(from: 0, to: count, by: Self.batch) {
      try await body(first..<min(first + Self.batch, count))
    }
    return ContinuousClock.now - start
  }

  /// Does something for so many keys of a traffic, one after the other, each with the bytes of some
  /// record, and says how long it took.
  func inTurns(
    _ turns: Int, _ traffic: Traffic, _ body: (String, [UInt8]) async throws -> Void
  ) async rethrows -> Duration {
    let start = ContinuousClock.now
    for turn in 0..<turns { try await body(traffic.next(), values[turn % values.count]) }
    return ContinuousClock.now - start
  }
}
