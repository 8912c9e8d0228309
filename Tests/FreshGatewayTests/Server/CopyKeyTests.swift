internal import FreshHTTP
internal import Testing

@testable import FreshGateway

/// Copies lie under their address, or beside it, and never under another one's.
@Suite struct CopyKeyTests {
  private func key(_ text: String, _ status: Int = 200, for asked: String = "") throws -> String {
    CopyKey("http://origin.example/page").key(
      of: try stored(text, status, for: asked), GatewayPolicy())
  }

  @Test func `the copy for everybody lies under the address`() throws {
    #expect(try key("Cache-Control: max-age=60") == "http://origin.example/page")
  }

  @Test func `what a get must not print lies beside it`() throws {
    let keys = try [
      key("Cache-Control: max-age=60", 404),
      key("Cache-Control: max-age=60 | Vary: A", for: "A: 1"),
      key("Cache-Control: max-age=60 | Vary: A", for: "A: 2"),
      key("Cache-Control: max-age=60 | Content-Encoding: gzip"),
    ]
    for key in keys { #expect(key.hasPrefix("http://origin.example/page#")) }
    // The status and the coding tell no variants from each other.
    #expect(keys[0] == keys[3])
    #expect(Set(keys).count == 3)
  }

  @Test func `an address that is too long for a key has one of its own`() {
    let start = "http://origin.example/" + String(repeating: "a", count: 980)
    let keys = ["", "b", "c"].map { CopyKey(start + $0) }
    #expect(Set(keys.map(\.base)).count == 3)
    for key in keys { #expect(key.prefix.utf8.count + 32 <= 1024) }
    // No shorter address has the variants of a longer one among its own.
    let shorter = CopyKey(String(keys[0].base.prefix { $0 != " " }))
    #expect(!keys[0].base.hasPrefix(shorter.prefix))
  }
}
