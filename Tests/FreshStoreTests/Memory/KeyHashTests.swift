import Testing

@testable import FreshStore

@Suite struct KeyHashTests {
  private let hash = KeyHash()

  @Test func `equal keys have equal hashes, wherever their bytes lie`() {
    for count in 0...70 {
      let key = String(repeating: "x", count: count)
      let other = (0..<count).map { _ in "x" }.joined()
      #expect(hash.of(key, in: 1) == hash.of(other, in: 1))
    }
  }

  @Test func `every byte, the length and the collection change the hash`() {
    for count in 1...70 {
      let bytes = [UInt8](repeating: 65, count: count)
      let base = hash.of(String(decoding: bytes, as: UTF8.self), in: 1)
      for position in 0..<count {
        var changed = bytes
        changed[position] = 66
        #expect(hash.of(String(decoding: changed, as: UTF8.self), in: 1) != base)
      }
      #expect(hash.of(String(decoding: bytes + [65], as: UTF8.self), in: 1) != base)
      #expect(hash.of(String(decoding: bytes, as: UTF8.self), in: 2) != base)
    }
  }

  @Test func `hashes of consecutive keys collide no more often than by chance`() {
    let low = Set((0..<100_000).map { hash.of("user:\($0)", in: 0) & 0xff_ffff })
    // Some 298 of 100,000 collide in 24 bits.
    #expect(low.count > 99_300)
    let shards = Dictionary(grouping: 0..<16_000) { hash.of("user:\($0)", in: 0) >> 60 }
    #expect(shards.count == 16 && shards.values.allSatisfy { (800...1200).contains($0.count) })
  }
}
