/// The rules of an operator for the content of answers: what breaks them takes the place of no copy.
package struct ContentAdmission: Sendable {
  /// True for an address that has rules.
  package var covers: @Sendable (_ address: String) -> Bool
  /// How content breaks them, for people; `nil` for content that keeps them. Not called by an event loop.
  package var refusal:
    @Sendable (_ address: String, _ contentType: String?, _ bytes: [UInt8]) -> String?

  package init(
    covers: @escaping @Sendable (_ address: String) -> Bool,
    refusal:
      @escaping @Sendable (_ address: String, _ contentType: String?, _ bytes: [UInt8]) -> String?
  ) {
    (self.covers, self.refusal) = (covers, refusal)
  }

  /// Words of others for `Cache-Status`: a few, and nothing that ends them.
  static func shown(_ words: String) -> String {
    let bytes = words.utf8.map {
      (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C ? $0 : 0x3F
    }
    return String(decoding: bytes.prefix(200), as: UTF8.self)
  }
}
