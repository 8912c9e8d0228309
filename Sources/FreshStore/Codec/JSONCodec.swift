internal import Rules

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// JSON, by Foundation's coders with their default strategies.
/// The names of an object are sorted, so that equal values have equal bytes.
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

/// Binary property lists, by Foundation's coders. They hold dates and data without a text form.
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

/// Compares values by their encoded form.
///
/// A type's own equality is not enough: it may compare only identifiers, and it considers texts equal that differ in
/// their bytes. Values with the same encoding are the same. Values with different encodings are the same only if the
/// type calls them equal and they differ only in the order of elements, which a set changes each time.
enum CodableForm {
  static func areSame<Value: Encodable>(_ one: Value, _ other: Value) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+infinity", negativeInfinity: "-infinity", nan: "nan")
    let (first, second) = (try encoder.encode(one), try encoder.encode(other))
    if first == second { return true }
    guard let one = one as? any Equatable, isEqual(one, other) else { return false }
    return try unordered(JSONValue(parsing: [UInt8](first)))
      == unordered(JSONValue(parsing: [UInt8](second)))
  }

  private static func isEqual<Value: Equatable>(_ one: Value, _ other: Any) -> Bool {
    one == other as? Value
  }

  /// The text of a value with its lists sorted. The parser bounds the depth of the recursion.
  private static func unordered(_ value: JSONValue) -> [UInt8] {
    switch value {
    case .array(let elements):
      let sorted = elements.map(unordered).sorted { $0.lexicographicallyPrecedes($1) }
      return [UInt8(ascii: "[")] + sorted.joined(separator: [UInt8(ascii: ",")])
        + [UInt8(ascii: "]")]
    case .object(let object):
      let members = object.members.map { member in
        JSONValue.string(member.name).bytes() + [UInt8(ascii: ":")] + unordered(member.value)
      }
      return [UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")])
        + [UInt8(ascii: "}")]
    default: return value.bytes()
    }
  }
}
