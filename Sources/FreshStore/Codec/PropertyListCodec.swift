#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Binary property lists, by Foundation's coders; keeps dates and data without text forms.
public struct PropertyListCodec<Value: Codable & Sendable>: Codec {
  /// `plist`.
  public let identifier = "plist"
  /// `application/x-plist`.
  public let mediaType: String? = "application/x-plist"

  /// Creates the codec.
  public init() {}

  /// The value as a binary property list.
  public func encode(_ value: Value) throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return [UInt8](try encoder.encode(value))
  }

  /// Decodes a value from a property list.
  public func decode(_ bytes: [UInt8]) throws -> Value {
    try PropertyListDecoder().decode(Value.self, from: Data(bytes))
  }

  /// True when both have the same entries; the format writes them in any order.
  public func areSame(_ one: Value, _ other: Value) throws -> Bool {
    try CodableForm.areSame(one, other)
  }
}
