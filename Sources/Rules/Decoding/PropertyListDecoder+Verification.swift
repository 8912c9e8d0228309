#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PropertyListDecoder {
  /// Decodes a property list as `JSONDecoder.decode(verify:from:)` does JSON.
  public func decode<Value: Decodable>(
    verify type: Value.Type, from data: Data
  ) throws(VerificationError) -> Value {
    try DecodingFindings.verify(strict: false) { try decode(type, from: data) }
  }

  /// The same, and ``Should`` properties must keep their rules, too.
  public func decode<Value: Decodable>(
    verifyStrict type: Value.Type, from data: Data
  ) throws(VerificationError) -> Value {
    try DecodingFindings.verify(strict: true) { try decode(type, from: data) }
  }
}
