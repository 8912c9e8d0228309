internal import FreshStore
internal import FreshStoreTesting
internal import Strategies
internal import Testing

@testable import FreshHTTP

/// Random text for every parser: a trap ends the test, and parsed values must be consistent.
@Suite struct ParserFuzzTests {
  private static let seeds: [UInt64] = [1, 20, 300, 4000]
  private static let rounds = 1000

  @Test(arguments: seeds)
  func `any Cache-Control can be parsed, and a no-store in it is never lost`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "max-age", "=", "60", "\"", "\\", ",", " ", "no-cache", "no-store", "stale-if-error", "\t",
      "99999999999999999999",
    ]
    for _ in 0..<Self.rounds {
      let text = random.text(of: pieces)
      #expect(CacheControl("no-store, " + text).noStore, "\(text.debugDescription)")
    }
  }

  @Test(arguments: seeds)
  func `any date can be parsed, and a parsed date survives writing and reading`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "Sun, ", "Sunday, ", "Sun ", "06", "6", " ", "-", " Nov ", "Nov", "1994", "94", "08:49:37",
      " GMT", ":", "99",
    ]
    for _ in 0..<Self.rounds {
      let now = Timestamp(millisecondsSinceEpoch: Int64.random(in: .min ... .max, using: &random))
      let text = random.text(of: pieces)
      if let moment = HTTPDate.parse(text, now: arrival) {
        #expect(HTTPDate.parse(HTTPDate.format(moment), now: arrival) == moment)
      }
      _ = HTTPDate.parse(text, now: now)
      #expect(HTTPDate.parse(HTTPDate.format(now), now: now) != nil)
    }
  }

  @Test(arguments: seeds)
  func `any address can be parsed, and its normal form is stable`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "http", "https", "://", ":", "/", "//", ".", "..", "/../", "?", "#", "@", "a", "[", "]", "%",
      "%41", "ä", "8080", "99999",
    ]
    let base = try HTTPAddress("http://a/b/c?d")
    for _ in 0..<Self.rounds {
      let text = random.text(of: pieces)
      _ = HTTPAddress.redacted(text)
      for candidate in ["http://a" + text, text] {
        guard let address = try? HTTPAddress(candidate) else { continue }  // Most are not dates.
        #expect(try HTTPAddress(address.text) == address, "\(candidate.debugDescription)")
      }
      // Most are none.
      if let target = try? RelativeReference.resolve(text, against: base) {
        #expect(try HTTPAddress(target.text) == target, "\(text.debugDescription)")
      }
    }
  }

  @Test(arguments: seeds)
  func `any proxy variables can be parsed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "http://", "socks5://", "a", ":", "80", "@", "/", "*", ".", ",", "[", "]", "10.0.0.0/8",
    ]
    for _ in 0..<Self.rounds {
      let text = random.text(of: pieces)
      let settings = try ProxySettings(environment: ["no_proxy": text, "http_proxy": "p:1"])
      #expect(settings.route(to: try HTTPAddress("http://localhost/")) == .direct)
      _ = settings.route(to: try HTTPAddress("http://10.0.0.1/"))
      _ = try? ProxySettings(environment: ["all_proxy": text])  // Most are refused.
    }
  }

  @Test(arguments: seeds)
  func `any response can be judged and stored`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "60", "\"a\"", "W/", "*", ",", date(0), date(-100), "max-age=", "accept", ":", "\r\n",
    ]
    let names = ["Age", "Date", "Expires", "Cache-Control", "Vary", "ETag", "Last-Modified"]
    for _ in 0..<Self.rounds {
      var response = HeaderFields()
      for name in names {
        response.append(name, random.text(of: pieces))
      }
      let exchange = HTTPExchange(
        status: 200, request: fields("Accept: a"), response: response, responseTime: arrival,
        responseDelay: .zero)
      #expect(FreshnessCalculation().freshness(of: exchange).lastUpdate <= arrival)
      let stored = StoredFields(address: try HTTPAddress("http://a/"), response: response)
      #expect(StoredFields(encoded: stored.encoded) == stored)
      let selection = VarySelection(of: response, for: exchange.request)
      #expect(VarySelection(encoded: selection.encoded) == selection)
      _ = EntityTag(response.first("ETag") ?? "")
    }
  }
}
