#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// JSON, by Foundation's coders with their default strategies; the names of an object are sorted, so
/// that equal values are equal bytes.
public struct JSONCodec<Value: Codable & Sendable>: Codec {
  /// `json`.
  public let identifier = "json"
  /// `application/json`.
  public let mediaType: String? = "application/json"
  private let encoder: JSONEncoder
  private let decoder = JSONDecoder()

  /// Creates the codec.
  public init() {
    encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
  }

  /// The value as JSON.
  public func encode(_ value: Value) throws -> [UInt8] { [UInt8](try encoder.encode(value)) }
  /// Decodes a value from JSON.
  public func decode(_ bytes: [UInt8]) throws -> Value {
    try decoder.decode(Value.self, from: Data(bytes))
  }

  /// True when both are the same JSON, apart from the order within sets.
  public func areSame(_ one: Value, _ other: Value) throws -> Bool {
    try CodableForm.areSame(one, other)
  }
}
