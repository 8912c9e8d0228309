public import BenchmarkKit
internal import Foundation

/// The stored values, and the same as bytes, encoded once.
public final class People: Sendable {
  /// The values.
  public let values: [Person]
  /// The bytes.
  public let bytes: [[UInt8]]

  /// Makes so many.
  public init(count: Int) throws {
    values = (0..<count).map(Person.init)
    let encoder = JSONEncoder()
    bytes = try values.map { Array(try encoder.encode($0)) }
  }
}
