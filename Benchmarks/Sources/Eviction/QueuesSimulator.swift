/// Drives the library's `EvictionQueues` as a cache would: slots from a free list.
struct QueuesSimulator: CacheSimulator {
  private var queues: EvictionQueues
  private var slotOfKey: [Int32]
  private var keyOfSlot: [Int32] = []
  private var freeSlots: [Int32] = []

  init(_ configuration: SimulatorConfiguration) {
    // Twice the expected entries: with weights, the bytes are to be the effective bound.
    let isWeighted = configuration.capacity != configuration.expectedEntries
    let entries = configuration.expectedEntries * (isWeighted ? 2 : 1)
    queues = EvictionQueues(
      limits: EvictionSize(entries: entries, bytes: configuration.capacity))
    slotOfKey = Array(repeating: -1, count: configuration.universe)
  }

  mutating func request(_ key: Int32, weight: Int) -> Bool {
    let slot = slotOfKey[Int(key)]
    if slot >= 0 {
      queues.touch(slot)
      return true
    }
    let fingerprint = UInt32(truncatingIfNeeded: mixed(UInt64(UInt32(bitPattern: key))))
    guard queues.admits(fingerprint: fingerprint, bytes: weight) else { return false }
    while !queues.hasRoom(bytes: weight), let victim = queues.evict() {
      slotOfKey[Int(keyOfSlot[Int(victim)])] = -1
      freeSlots.append(victim)
    }
    let free = takeSlot()
    queues.insert(free, fingerprint: fingerprint, bytes: weight)
    slotOfKey[Int(key)] = free
    keyOfSlot[Int(free)] = key
    return false
  }

  private mutating func takeSlot() -> Int32 {
    if let slot = freeSlots.popLast() { return slot }
    keyOfSlot.append(-1)
    return Int32(keyOfSlot.count - 1)
  }
}
