internal import FreshHTTP
internal import Testing

@testable import FreshGateway

/// Bytes that are no UTF-8 have become U+FFFD before a field is seen.
@Suite struct UndecodedFieldTests {
  @Test(
    arguments: [
      ("X-Name: caf\u{FFFD}", nil), ("X-Name: caf\u{E9}", "caf\u{E9}"), ("ETag: \"\u{FFFD}\"", nil),
      ("Location: /caf\u{FFFD}", nil), ("Set-Cookie: a=\u{FFFD}", nil),
      ("Cache-Control: no-store, a=\"\u{FFFD}\"", "no-store, a=\"\u{FFFD}\""),
      ("CDN-Cache-Control: no-store, a=\"\u{FFFD}\"", "no-store, a=\"\u{FFFD}\""),
      ("Vary: A, \u{FFFD}", "A, \u{FFFD}"), ("Expires: \u{FFFD}", "\u{FFFD}"),
      ("Content-Disposition: attachment; filename=\"\u{FFFD}.html\"", "attachment"),
      ("Content-Disposition: \u{FFFD}; filename=a", nil),
    ] as [(String, String?)])
  func `RFC 9110 5.5: a value that text cannot hold is left out, unless it restricts`(
    line: String, passedOn: String?
  ) {
    let name = String(line.prefix { $0 != ":" })
    let answer = answer("A: 1 | \(line) | B: 2")
    #expect(answer.fields[name] == passedOn)
    #expect(answer.fields["A"] == "1" && answer.fields["B"] == "2")
    #expect(TrailerFields.sent(of: fields("X: \u{FFFD} | Y: 1")).lines.map(\.name) == ["Y"])
  }

  @Test func `an answer is kept for nobody else without the cookie that it has set`() throws {
    let text = "Cache-Control: max-age=60 | Set-Cookie: a=\u{FFFD}"
    #expect(throws: StoringRefusal.setsCookie) { _ = try stored(text) }
    #expect(try stored("\(text) | Cache-Control: public").fields["Set-Cookie"] == nil)
  }

  @Test(arguments: ["Vary: A, \u{FFFD}", "Cache-Control: private=\u{FFFD}, no-store"])
  func `what forbids a copy forbids it whatever else it says`(line: String) {
    #expect(throws: StoringRefusal.self) {
      _ = try stored("Cache-Control: max-age=60 | \(line)")
    }
  }
}
