import FreshStoreTesting
import Testing

@testable import FreshStore

@Suite
struct GhostTableTests {
  @Test(arguments: [1, 8, 100, 5_000])
  func `remembers nearly all of half a window, and nothing older`(capacity: Int) {
    var table = GhostTable(capacity: capacity)
    var generator = SeededGenerator(seed: UInt64(capacity))
    let fingerprints = (0..<capacity * 5).map { _ in
      UInt32(truncatingIfNeeded: generator.next())
    }
    for fingerprint in fingerprints { table.remember(fingerprint) }
    let old = fingerprints.dropLast(capacity).filter { table.recall($0, window: capacity) }
    #expect(old.isEmpty)
    let recent = fingerprints.suffix((capacity + 1) / 2)
    let recalled = recent.filter { table.recall($0, window: capacity) }
    #expect(recalled.count * 100 >= recent.count * 85)
  }

  @Test func `forgets an entry that it recalled`() {
    var table = GhostTable(capacity: 10)
    table.remember(5)
    #expect(table.recall(5, window: 10) == true)
    #expect(table.recall(5, window: 10) == false)
  }

  @Test func `is empty at first, the fingerprint 0 included`() {
    var table = GhostTable(capacity: 10)
    #expect(table.recall(0, window: 10) == false)
    table.remember(0)
    #expect(table.recall(0, window: 1) == true)
  }

  @Test func `an empty window holds nothing`() {
    var table = GhostTable(capacity: 10)
    table.remember(3)
    #expect(table.recall(3, window: 0) == false)
  }

  @Test func `fingerprints that share their low bits spread over the buckets`() {
    var table = GhostTable(capacity: 1_024)
    let fingerprints = (0..<UInt32(1_024)).map { $0 << 6 | 0b101010 }
    for fingerprint in fingerprints { table.remember(fingerprint) }
    let recalled = fingerprints.filter { table.recall($0, window: 1_024) }
    #expect(recalled.count > 700)
  }
}
