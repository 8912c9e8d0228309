import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Testing

@Suite struct CodecTests {
  struct Article: Codable, Sendable, Equatable {
    var title: String
    var date: Date
    var picture: Data
    var parts: [String: [Int]]
    var note: String?
  }

  struct Refused: Error {}

  private static let articles = [
    Article(title: "", date: Date(timeIntervalSince1970: 0), picture: Data(), parts: [:]),
    Article(
      title: "é\0💾\"\\", date: Date(timeIntervalSince1970: 1_780_000_000.125),
      picture: Data((0...255).map { UInt8($0) }), parts: ["a": [], "b": [.min, .max]], note: ""),
  ]

  private static let bytes: [[UInt8]] = [[], [0], Array(repeating: 255, count: 100_000)]

  private static func reversing<Base: Codec>(_ base: Base) -> TransformedCodec<Base> {
    TransformedCodec(
      base,
      TransformedCodec<Base>.Transform(
        "reversed", apply: { Array($0.reversed()) + [7] },
        undo: { bytes in
          guard bytes.last == 7 else { throw Refused() }
          return Array(bytes.dropLast().reversed())
        }))
  }

  @Test func `property lists are binary`() throws {
    let bytes = try PropertyListCodec<Article>().encode(Self.articles[0])
    #expect(bytes.starts(with: "bplist00".utf8))
  }

  @Test func `JSON keeps the laws`() {
    #expect(CodecLaws(values: Self.articles).check(JSONCodec<Article>()).isEmpty)
    #expect(CodecLaws(values: ["", "text"]).check(JSONCodec<String>()).isEmpty)
  }

  @Test func `property lists keep the laws`() {
    #expect(CodecLaws(values: Self.articles).check(PropertyListCodec<Article>()).isEmpty)
  }

  @Test func `bytes keep the laws`() {
    #expect(CodecLaws(values: Self.bytes).check(BytesCodec()).isEmpty)
    #expect(CodecLaws(values: Self.bytes).check(AnyBytesCodec()).isEmpty)
  }

  @Test func `a codec with a step keeps the laws, and one with two`() {
    let once = Self.reversing(JSONCodec<Article>())
    #expect(CodecLaws(values: Self.articles).check(once).isEmpty)
    #expect(CodecLaws(values: Self.articles).check(Self.reversing(once)).isEmpty)
    #expect(Self.reversing(once).identifier == "json+reversed+reversed")
  }

  @Test func `a step's failure becomes the codec's`() {
    #expect(throws: Refused.self) { try Self.reversing(BytesCodec()).decode([1, 2, 3]) }
  }

  @Test func `each codec reads its own format, and tools read any`() {
    #expect(JSONCodec<Int>().reads("json") && !JSONCodec<Int>().reads("json+reversed"))
    #expect(!BytesCodec().reads("json"))
    #expect(AnyBytesCodec().reads("json") && AnyBytesCodec().reads("anything"))
  }

  @Test func `a tool reads the bytes of every record`() async throws {
    try await TemporaryStore.run { temporary in
      try await temporary.store.collection("things", of: Int.self).put(7, for: "number")
      let raw = try temporary.store.collection("things", codec: AnyBytesCodec())

      #expect(try raw.read("number").copy?.value == Array("7".utf8))
    }
  }

  @Test func `a stored value comes back through each codec`() async throws {
    try await TemporaryStore.run { temporary in
      let json = try temporary.store.collection("json", of: Article.self)
      let list = try temporary.store.collection("list", codec: PropertyListCodec<Article>())
      let steps = try temporary.store.collection(
        "steps", codec: Self.reversing(JSONCodec<Article>()))
      for collection in [json, list, steps] {
        try await collection.put(Self.articles[1], for: "1")
        #expect(try collection.read("1").copy?.value == Self.articles[1])
      }
    }
  }

  @Test func `a codec that fails occasionally loses no fetched value`() async throws {
    try await TemporaryStore.run { temporary in
      let chaos = Chaos(seed: 5, failureRate: 0.3, corruptionRate: 0.3)
      let articles = try temporary.store.collection(
        "articles", codec: ChaosCodec(JSONCodec<String>(), chaos))
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      for _ in 0..<200 {
        let answer = try await articles.get("1", .sourceFirst, from: origin)
        #expect(answer.value == "one")
      }
      #expect(chaos.failures > 20)
    }
  }
}
