import FreshStoreTesting
import Testing

@testable import FreshStore

@Suite struct SlotTableTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `finds the same values as a dictionary, however hashes collide`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = SlotTable()
    var hashes: [Int32: UInt32] = [:]
    for _ in 0..<1_000 {
      let slot = Int32.random(in: 0..<200, using: &generator)
      if let hash = hashes.removeValue(forKey: slot) {
        table.remove(slot, hash: hash)
      } else {
        // Few values, so that runs of occupied places grow long and wrap around.
        let hash = UInt32.random(in: 0..<40, using: &generator) &- 20
        table.insert(slot, hash: hash)
        hashes[slot] = hash
      }
      #expect(table.count == hashes.count)
    }
    for slot in 0..<200 as Range<Int32> {
      let found = hashes[slot].flatMap { hash in table.slot(hash: hash) { $0 == slot } }
      #expect(found == (hashes[slot] == nil ? nil : slot))
    }
  }

  @Test func `a missing hash is not found`() {
    var table = SlotTable()
    table.insert(1, hash: 7)
    #expect(table.slot(hash: 8) { _ in true } == nil)
    #expect(table.slot(hash: 7) { _ in false } == nil)
    table.remove(2, hash: 7)
    #expect(table.slot(hash: 7) { _ in true } == 1)
  }
}
