internal import Testing

@testable import FreshHTTP

@Suite struct VarySelectionTests {
  private func selection(_ vary: String, _ request: String) -> VarySelection {
    VarySelection(of: fields(vary), for: fields(request))
  }

  @Test(arguments: [
    ("", "Accept: a", "Accept: b", true),
    ("Vary: Accept", "Accept: a", "Accept: a", true),
    ("Vary: Accept", "Accept: a", "Accept: b", false),
    ("Vary: Accept", "Accept: a", "", false),
    ("Vary: Accept", "", "", true),
    ("Vary: X", "X:", "", false),
    ("Vary: accept", "ACCEPT: a", "Accept: a", true),
    ("Vary: Accept-Language", "Accept-Language: de, en", "Accept-Language: DE,en", true),
    ("Vary: Accept-Language", "Accept-Language: de, en", "Accept-Language: en, de", false),
    (
      "Vary: Accept-Language", "Accept-Language: de | Accept-Language: en",
      "Accept-Language: de, en", true
    ),
    ("Vary: X", "X: a, b", "X: a,b", false),
    ("Vary: A, B", "A: 1 | B: 2", "A: 2 | B: 1", false),
    ("Vary: A | Vary: B", "A: 1 | B: 2", "A: 1 | B: 3", false),
    ("Vary: B, A", "A: 1 | B: 2", "A: 1 | B: 2 | C: 3", true),
    ("Vary: *", "A: 1", "A: 1", false),
    ("Vary: A, *", "A: 1", "A: 1", false),
    ("Vary: A B", "A: 1", "A: 1", false),
  ])
  func `RFC 9111 4.1: a response answers the requests with the same nominated fields`(
    vary: String, stored: String, presented: String, expected: Bool
  ) {
    #expect(selection(vary, stored).matches(fields(presented)) == expected)
  }

  @Test(arguments: ["", "Vary: *", "Vary: Accept, Cookie"])
  func `a selection is read back from its encoded form`(vary: String) {
    let original = selection(vary, "Accept: a | Cookie: secret")
    #expect(VarySelection(encoded: original.encoded) == original)
  }

  @Test
  func `a response that nominates more fields than any resource needs answers no other request`() {
    let asked = fields("A: 1")
    for (names, length, isRead) in [(32, 4, true), (33, 4, false), (20, 110, false)] {
      let list = (0..<names).map { "x\($0)" + String(repeating: "-", count: length - 3) }
      let selection = VarySelection(of: ["Vary": list.joined(separator: ", ")], for: asked)
      #expect((selection != .none) == isRead)
      #expect(VarySelection(encoded: selection.encoded) == selection)
    }
    let earlier = (0..<33).map { "x\($0)" }.joined(separator: ",")
    #expect(VarySelection(encoded: "\(earlier)=0") == .none)
  }

  @Test func `a long value counts byte for byte`() {
    let long = String(repeating: "gzip, br, ", count: 30)
    let stored = selection("Vary: Accept-Encoding", "Accept-Encoding: \(long)")
    #expect(stored.matches(fields("Accept-Encoding: \(long)")))
    for other in ["br, gzip, \(long.dropFirst(10))", "\(long)br", "gzip, br"] {
      #expect(!stored.matches(fields("Accept-Encoding: \(other)")))
    }
  }

  @Test func `a request that is asked for one variant after the other gives the same digests`() {
    let long = String(repeating: "a", count: 300)
    let (asked, digests) = (fields("A: 1 | Cookie: \(long)"), SelectionDigests())
    for round in 0..<100 {
      for names in [["a"], ["cookie"], ["a", "cookie"], ["x\(round)", "cookie"]] {
        #expect(digests.digest(names, in: asked) == VarySelection.digest(names, in: asked))
      }
    }
  }

  @Test func `an encoded selection does not hold the request's values`() {
    let encoded = selection("Vary: Cookie", "Cookie: secret").encoded
    #expect(encoded?.contains("secret") == false)
    #expect(encoded?.hasPrefix("cookie=") == true)
  }

  @Test(arguments: ["", "x", "a=b=c", "accept=0"])
  func `text that is not an encoded selection matches no request`(text: String) {
    #expect(!VarySelection(encoded: text).matches(fields("Accept: a")))
  }

  @Test func `a configuration selects the variants that answer its requests`() {
    var configuration = HTTPConfiguration()
    configuration.headers = fields("Accept-Language: de")
    let variant = selection("Vary: Accept-Language", "Accept-Language: de").encoded
    #expect(configuration.selects(variant: variant))
    #expect(configuration.selects(variant: nil))
    configuration.headers = fields("Accept-Language: en")
    #expect(!configuration.selects(variant: variant))
    #expect(!configuration.selects(variant: "*"))
  }
}
