#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// JSON, by Foundation's coders with their default strategies.
public struct JSONCodec<Value: Codable & Sendable>: Codec {
  /// `json`.
  public let identifier = "json"
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// Creates the codec.
  public init() {}

  /// The value as JSON.
  public func encode(_ value: Value) throws -> [UInt8] { [UInt8](try encoder.encode(value)) }
  /// The value of JSON.
  public func decode(_ bytes: [UInt8]) throws -> Value {
    try decoder.decode(Value.self, from: Data(bytes))
  }
}
