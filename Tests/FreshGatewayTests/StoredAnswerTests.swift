internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct StoredAnswerTests {
  private func decoded(_ text: String) -> StoredAnswer? {
    StoredAnswer(encoded: text, selection: .every, policy: GatewayPolicy())
  }

  @Test func `a stored answer is read back from its text`() throws {
    let whole = try stored(
      "Cache-Control: public, max-age=60, stale-if-error=9 | Set-Cookie: a=b | Set-Cookie: c=d | Age: 7 "
        + "| X: \u{e4}:b | Y:")
    #expect(decoded(whole.encoded) == whole)
    let empty = try stored("Cache-Control: max-age=60", length: 0)
    #expect(decoded(empty.encoded) == empty)
    let part = try stored("Cache-Control: max-age=60 | Content-Range: bytes 5-9/*", 206)
    #expect(decoded(part.encoded) == part)
    let content = try #require(part.content.combined(with: StoredContent([20..<30], of: 40)))
    let parts = part.with(content, policy: GatewayPolicy())
    #expect(decoded(parts.encoded) == parts && parts.status == 206)
  }

  @Test(arguments: [
    "", "x", "200", "200 0 0 *", "99 0 0 * ", "600 0 0 * ", "200 x 0 * ", "200 0 -1 * ",
    "200 0 0 -1 ", "200 0 0 x ", "200 0 0 * 9-5", "200 0 0 * x", "200 0 0 5 0-9",
    "200 0 0 5 0-5\n", "200 0 0 5 0-5\nX", "200 0 0 5 0-5\nX Y: a", "200 0 0 5 0-5\nX: a\rb",
    "200 0 0 5 0-5 9", "200 0 0 * -5-9", "200 0 0 5 0-5 expiry=", "200 0 0 5 0-5 expiry=x",
    "200 0 0 5 0-5 expiry=-1", "200 0 0 5 0-5 expiry=1 2", "200 0 0 5 0-5\nX: a\r\nY: b",
    "200 0 0 5 0-5\n: a", "200 0 0 5 0-5\nX: \u{7f}", "\u{301}200 0 0 5 0-5",
  ])
  func `a text that no stored answer has is none`(text: String) {
    #expect(decoded(text) == nil)
  }

  @Test func `what follows from the fields follows the policy in force`() throws {
    let text = try stored("Cache-Control: max-age=5, s-maxage=60").encoded
    let personal = StoredAnswer(encoded: text, selection: .every, policy: .personal)
    #expect(personal?.terms.lifetime == .seconds(5))
    #expect(decoded(text)?.terms.lifetime == .seconds(60))
  }
}
