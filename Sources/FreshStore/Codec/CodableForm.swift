internal import Rules

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Compares values by their encoded form.
///
/// A type's own equality is not enough: it may compare identifiers alone, and it considers texts
/// equal that differ in their bytes. Values with the same encoding are the same; values with
/// different encodings are the same only if the type calls them equal and they differ in nothing
/// but the order of elements, which a set changes each time.
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

  /// The text of a value with its lists sorted. The parser bounds its depth.
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
