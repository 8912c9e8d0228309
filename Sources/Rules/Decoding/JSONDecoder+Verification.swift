#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONDecoder {
  /// Decodes a document whose ``Must`` properties keep their rules, and reports all faults at once.
  ///
  /// ```swift
  /// struct NotNegative: RuleProvider { static let rule: Rule<Int> = .atLeast(0) }
  /// struct Filled: RuleProvider { static let rule: Rule<String> = .notEmpty }
  ///
  /// struct Client: Decodable {
  ///   @Must<Filled> var name: String
  /// }
  ///
  /// struct Order: Decodable {
  ///   enum CodingKeys: String, CodingKey { case amount, note, clients = "customers" }
  ///
  ///   @Must<NotNegative> var amount: Int
  ///   @Should<Filled> var note: String?
  ///   var clients: [Client]
  /// }
  ///
  /// let order = try JSONDecoder().decode(verify: Order.self, from: data)
  /// // For {"amount": "many", "note": "", "customers": [{"name": "Ada"}, {"name": ""}]} throws:
  /// // amount            wrong-type
  /// // note              empty, a should
  /// // customers[1].name empty
  /// ```
  ///
  /// Decoding errors are reported together with broken rules. Decoding continues after a property with a rule whose
  /// type has an empty value, and ends at any other decoding error. A ``Should`` property whose value breaks its
  /// rule is `nil`. The decoder keeps no state. Values that an `init(from:)` decodes with another decoder are
  /// verified too, with paths of their own.
  ///
  /// Cost: the decoding and one check for each property.
  public func decode<Value: Decodable>(
    verify type: Value.Type, from data: Data
  ) throws(VerificationError) -> Value {
    try DecodingFindings.verify(strict: false) { try decode(type, from: data) }
  }

  /// The same; ``Should`` properties must keep their rules, too.
  public func decode<Value: Decodable>(
    verifyStrict type: Value.Type, from data: Data
  ) throws(VerificationError) -> Value {
    try DecodingFindings.verify(strict: true) { try decode(type, from: data) }
  }
}

extension PropertyListDecoder {
  /// Decodes a property list as `JSONDecoder.decode(verify:from:)` does JSON.
  public func decode<Value: Decodable>(
    verify type: Value.Type, from data: Data
  ) throws(VerificationError) -> Value {
    try DecodingFindings.verify(strict: false) { try decode(type, from: data) }
  }

  /// The same; ``Should`` properties must keep their rules, too.
  public func decode<Value: Decodable>(
    verifyStrict type: Value.Type, from data: Data
  ) throws(VerificationError) -> Value {
    try DecodingFindings.verify(strict: true) { try decode(type, from: data) }
  }
}
