import FreshStoreTesting
import Testing

@testable import FreshStore

@Suite
struct EvictionQueuesTests {
  @Test(arguments: 0..<20) func `agrees with the naive model, bounded by entries`(seed: Int) throws
  {
    let limits = EvictionSize(entries: 1 + seed * 3, bytes: 1_000_000)
    var pair = QueuesPair(limits: limits, seed: seed)
    for _ in 0..<500 { try pair.step(keys: UInt32(4 + seed * 6), largest: 100) }
  }

  @Test(arguments: 0..<20) func `agrees with the naive model, bounded by bytes`(seed: Int) throws {
    var pair = QueuesPair(limits: EvictionSize(entries: 200, bytes: 100 + seed * 50), seed: seed)
    for _ in 0..<500 { try pair.step(keys: UInt32(10 + seed * 5), largest: 120) }
  }

  @Test(arguments: 0..<10) func `gives up every slot once, and then none`(seed: Int) throws {
    var pair = QueuesPair(limits: EvictionSize(entries: 50, bytes: 10_000), seed: seed)
    for _ in 0..<1_000 { try pair.step(keys: 80, largest: 100) }
    while try pair.evict() { try pair.check() }
    #expect(pair.queues.count == 0)
    #expect(pair.queues.bytes == 0)
  }

  @Test(arguments: 0..<10) func `removing any slot keeps the links`(seed: Int) throws {
    var pair = QueuesPair(limits: EvictionSize(entries: 50, bytes: 10_000), seed: seed)
    for _ in 0..<1_000 { try pair.step(keys: 80, largest: 100) }
    var generator = SeededGenerator(seed: UInt64(seed))
    for slot in pair.keyOfSlot.keys.sorted().shuffled(using: &generator) {
      pair.remove(slot)
      try pair.check()
    }
    #expect(pair.queues.evict() == nil)
  }

  @Test func `a scan does not evict entries that are requested again and again`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 100, bytes: 100))
    for slot in 0..<Int32(80) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    for _ in 0..<3 {
      for slot in 0..<Int32(80) { queues.touch(slot) }
    }
    var free = Array(Int32(80)..<100)
    var hot = Set(Int32(0)..<80)
    for key in UInt32(1_000)..<11_000 {
      while !queues.hasRoom(bytes: 1), let victim = queues.evict() {
        hot.remove(victim)
        free.append(victim)
      }
      guard let slot = free.popLast() else { return #expect(Bool(false), "no free slot") }
      queues.insert(slot, fingerprint: key, bytes: 1)
    }
    // The walks of the first evictions end at their limit (80 entries of 3 hits, 64 moves each).
    #expect(hot.count >= 76)
  }

  @Test func `a loop a little longer than the cache gets hits, even after other content`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 1_000, bytes: 1_000))
    for slot in 0..<Int32(1_000) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    var slotOfKey: [UInt32: Int32] = [:]
    var keyOfSlot: [Int32: UInt32] = [:]
    var hits = 0
    for step in 0..<UInt32(60_000) {
      let key = 10_000 + step % 1_200
      if let slot = slotOfKey[key] {
        queues.touch(slot)
        hits += 1
        continue
      }
      guard let slot = queues.evict() else { return #expect(Bool(false), "nothing evicted") }
      if let old = keyOfSlot.updateValue(key, forKey: slot) { slotOfKey[old] = nil }
      slotOfKey[key] = slot
      queues.insert(slot, fingerprint: key, bytes: 1)
    }
    #expect(hits > 20_000)
  }

  @Test func `entries that would flush the small queue have to be requested twice`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 100, bytes: 1_000))
    for slot in 0..<Int32(5) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    #expect(queues.admits(fingerprint: 777, bytes: 100) == true)
    #expect(queues.admits(fingerprint: 777, bytes: 101) == false)
    #expect(queues.admits(fingerprint: 777, bytes: 101) == true)
    queues.insert(5, fingerprint: 777, bytes: 101)
    #expect(queues.slots(in: .main) == [5])
    #expect(queues.admits(fingerprint: 778, bytes: 1_001) == false)
    #expect(queues.admits(fingerprint: 778, bytes: 1_001) == false)
  }

  @Test func `one eviction is short even if all entries are hot`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 10_000, bytes: 10_000))
    for slot in 0..<Int32(10_000) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    for slot in 0..<Int32(10_000) {
      for _ in 0..<3 { queues.touch(slot) }
    }
    // The first hot newcomer makes the small queue short; then 63 of the main queue get their
    // chance, and the next one has to go.
    #expect(queues.evict() == 1_063)
    #expect(queues.slots(in: .small).count == 999)
  }

  @Test func `a removed slot leaves no ghost, an evicted one does`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 20, bytes: 20))
    for slot in 0..<Int32(20) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    #expect(queues.slots(in: .small) == [1, 0])
    #expect(queues.evict() == 0)
    queues.remove(1)
    queues.insert(1, fingerprint: 1, bytes: 1)
    queues.insert(0, fingerprint: 0, bytes: 1)
    #expect(queues.slots(in: .small) == [1])
    #expect(queues.slots(in: .main).first == 0)
  }

  @Test func `a use is forgotten with the second turn after it`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 20, bytes: 20))
    for slot in 0..<Int32(2) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    for _ in 0..<5 { queues.touch(0) }
    queues.turn()
    #expect(queues.isUsed(0) && queues.isUsed(1))
    // A hit that is not counted any more is a use all the same.
    queues.touch(0)
    queues.turn()
    #expect(queues.isUsed(0) && !queues.isUsed(1))
    queues.turn()
    #expect(!queues.isUsed(0))
  }

  @Test func `a move to the main queue is no use, and an entry in place of another is one`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 10, bytes: 10))
    for slot in 0..<Int32(2) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    queues.touch(0)
    queues.touch(0)
    queues.turn()
    #expect(queues.evict() == 1)
    #expect(queues.slots(in: .main) == [0])
    #expect(queues.isUsed(0) && !queues.isUsed(1))
    queues.turn()
    queues.insert(1, fingerprint: 9, bytes: 1)
    #expect(!queues.isUsed(0) && queues.isUsed(1))
  }

  @Test func `a newcomer stays after two hits, not after one`() {
    var queues = EvictionQueues(limits: EvictionSize(entries: 20, bytes: 20))
    for slot in 0..<Int32(20) { queues.insert(slot, fingerprint: UInt32(slot), bytes: 1) }
    queues.touch(0)
    queues.touch(0)
    queues.touch(1)
    // The promotion leaves one newcomer, less than its share: the oldest of the rest goes.
    #expect(queues.evict() == 2)
    queues.insert(2, fingerprint: 99, bytes: 1)
    #expect(queues.evict() == 1)
    #expect(queues.slots(in: .main).first == 0)
  }
}
