internal import FreshStore
internal import Testing

@testable import FreshHTTP

@Suite struct StoredFieldsTests {
  private func stored(_ response: String) throws -> StoredFields {
    StoredFields(address: try HTTPAddress("http://a/?secret"), response: fields(response))
  }

  @Test func `stored fields are read back`() throws {
    let original = try stored(
      "Cache-Control: a | Cache-Control: b | Vary: X | Content-Type: t/p | Set-Cookie: secret")
    #expect(StoredFields(encoded: original.encoded) == original)
    #expect(original.fields.first("cache-control") == "a, b")
    #expect(original.isFrom(try HTTPAddress("http://a/?secret")))
    #expect(!original.encoded.contains("secret"))
  }

  @Test(arguments: [nil, "\"a\"", UnseenWrite.absence])
  func `a write that was not seen is read back`(former: String?) throws {
    let original = StoredFields(
      address: try HTTPAddress("http://a/"), response: fields("Vary: X"),
      unseen: UnseenWrite(former: former))
    #expect(StoredFields(encoded: original.encoded) == original)
  }

  @Test(arguments: [nil, "", "junk", "set-cookie: x", ":\n:"])
  func `text without stored fields reads as none`(text: String?) {
    #expect(StoredFields(encoded: text).fields.lines.isEmpty)
  }

  @Test func `RFC 9111 5.2.2.4: a field that requires revalidation is not reused`() throws {
    let kept = try stored("Content-Type: t/p | Cache-Control: no-cache=\"content-type\"")
    #expect(kept.fields.first("Content-Type") == nil)
  }
}
