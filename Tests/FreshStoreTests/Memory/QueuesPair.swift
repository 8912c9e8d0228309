import FreshStoreTesting
import Testing

@testable import FreshStore

/// Drives the queues and the naive model by the same random calls, as a cache would, and
/// checks after each that they agree and that the invariants hold.
struct QueuesPair {
  var queues: EvictionQueues
  var model: NaiveQueues
  var keyOfSlot: [Int32: UInt32] = [:]
  private var generator: SeededGenerator

  init(limits: EvictionSize, seed: Int) {
    queues = EvictionQueues(limits: limits)
    model = NaiveQueues(limits: limits)
    generator = SeededGenerator(seed: UInt64(seed))
  }

  mutating func step(keys: UInt32, largest: Int) throws {
    let key = UInt32.random(in: 0..<keys, using: &generator)
    let bytes = Int.random(in: 0...largest, using: &generator)
    let resident = keyOfSlot.first { $0.value == key }?.key
    switch (Int.random(in: 0..<20, using: &generator), resident) {
    case (0, .some(let slot)): remove(slot)
    case (1, _): try evict()
    case (_, .some(let slot)): touch(slot)
    case (_, .none): try insert(key, bytes: bytes)
    }
    try check()
  }

  /// - Returns: whether a slot was given up.
  @discardableResult
  mutating func evict() throws -> Bool {
    let before = queues.count
    let victim = queues.evict()
    #expect(victim == model.evict())
    guard let victim else {
      #expect(before == 0, "evict has to find something as long as there is something")
      return false
    }
    try #require(keyOfSlot.removeValue(forKey: victim) != nil, "gave up a slot not resident")
    return true
  }

  mutating func remove(_ slot: Int32) {
    queues.remove(slot)
    model.remove(slot)
    keyOfSlot[slot] = nil
  }

  private mutating func touch(_ slot: Int32) {
    queues.touch(slot)
    model.touch(slot)
  }

  private mutating func insert(_ key: UInt32, bytes: Int) throws {
    let admitted = queues.admits(fingerprint: key, bytes: bytes)
    #expect(admitted == model.admits(fingerprint: key, bytes: bytes))
    guard admitted else { return }
    while !queues.hasRoom(bytes: bytes) { try #require(try evict()) }
    let free = (0..<Int32(queues.limits.entries)).filter { keyOfSlot[$0] == nil }
    let slot = try #require(free.randomElement(using: &generator))
    queues.insert(slot, fingerprint: key, bytes: bytes)
    model.insert(slot, fingerprint: key, bytes: bytes)
    keyOfSlot[slot] = key
  }

  func check() throws {
    let small = queues.slots(in: .small)
    let main = queues.slots(in: .main)
    try #require(small == model.small.map(\.slot))
    try #require(main == model.main.map(\.slot))
    try #require(Set(small + main) == Set(keyOfSlot.keys))
    try #require(small.count + main.count == keyOfSlot.count, "a slot is in one queue only")
    try #require(queues.size(of: .small).entries == small.count)
    try #require(queues.size(of: .main).entries == main.count)
    try #require(queues.bytes == model.bytes)
    try #require(queues.count <= queues.limits.entries)
    try #require(queues.bytes <= queues.limits.bytes)
  }
}
