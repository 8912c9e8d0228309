internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// The contents of all of them: the same keys, and the same bytes under each.
struct Corpus {
  /// The keys, in the order in which they are stored.
  let keys: [String]
  /// The bytes under each.
  let values: [[UInt8]]
  /// The number of records in one transaction of a bulk write.
  static let batch = 1000

  init(records: Int) throws {
    keys = (0..<records).map { "user:\($0)" }
    let encoder = JSONEncoder()
    values = try (0..<records).map { [UInt8](try encoder.encode(Person($0))) }
  }

  /// Works on one batch after the other and returns the time.
  func inBatches(_ count: Int, _ body: (Range<Int>) async throws -> Void) async rethrows -> Duration
  {
    let start = ContinuousClock.now
    for first in stride(from: 0, to: count, by: Self.batch) {
      try await body(first..<min(first + Self.batch, count))
    }
    return ContinuousClock.now - start
  }

  /// Works on so many keys of a traffic, one after the other, each with the bytes of some record,
  /// and returns the time.
  func inTurns(
    _ turns: Int, _ traffic: Traffic, _ body: (String, [UInt8]) async throws -> Void
  ) async rethrows -> Duration {
    let start = ContinuousClock.now
    for turn in 0..<turns { try await body(traffic.next(), values[turn % values.count]) }
    return ContinuousClock.now - start
  }
}
