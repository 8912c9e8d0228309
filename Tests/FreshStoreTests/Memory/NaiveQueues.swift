@testable import FreshStore

/// The rules of `EvictionQueues`, written down with plain arrays searched from end to end.
struct NaiveQueues {
  struct Entry: Equatable {
    var slot: Int32
    var fingerprint: UInt32
    var bytes: Int
    var hits = 0
  }

  let limits: EvictionSize
  /// The newest first, both.
  var small: [Entry] = []
  var main: [Entry] = []
  var ghosts: GhostTable
  var hasEvicted = false

  init(limits: EvictionSize) {
    self.limits = limits
    ghosts = GhostTable(capacity: limits.entries * 3 / 2)
  }

  var count: Int { small.count + main.count }

  var bytes: Int { (small + main).reduce(0) { $0 + $1.bytes } }

  func hasRoom(bytes needed: Int) -> Bool {
    count + 1 <= limits.entries && bytes + needed <= limits.bytes
  }

  mutating func admits(fingerprint: UInt32, bytes needed: Int) -> Bool {
    if needed > limits.bytes { return false }
    if needed <= max(1, limits.bytes / 10) { return true }
    let returned = ghosts.recall(fingerprint, window: count * 3 / 2)
    ghosts.remember(fingerprint)
    return returned
  }

  mutating func insert(_ slot: Int32, fingerprint: UInt32, bytes: Int) {
    let entry = Entry(slot: slot, fingerprint: fingerprint, bytes: bytes)
    let returned = ghosts.recall(fingerprint, window: count * 3 / 2)
    if returned || (!hasEvicted && isSmallFull) {
      main.insert(entry, at: 0)
    } else {
      small.insert(entry, at: 0)
    }
  }

  mutating func touch(_ slot: Int32) {
    for index in small.indices where small[index].slot == slot {
      small[index].hits = min(3, small[index].hits + 1)
    }
    for index in main.indices where main[index].slot == slot {
      main[index].hits = min(3, main[index].hits + 1)
    }
  }

  var isSmallFull: Bool {
    small.count >= max(1, limits.entries / 10)
      || small.reduce(0) { $0 + $1.bytes } >= max(1, limits.bytes / 10)
  }

  mutating func evict() -> Int32? {
    hasEvicted = true
    for move in 0...64 where count > 0 {
      if isSmallFull || main.isEmpty {
        var entry = small.removeLast()
        guard entry.hits >= 2, move < 64 else {
          ghosts.remember(entry.fingerprint)
          return entry.slot
        }
        entry.hits = 0
        main.insert(entry, at: 0)
      } else {
        var entry = main.removeLast()
        guard entry.hits >= 1, move < 64 else { return entry.slot }
        entry.hits -= 1
        main.insert(entry, at: 0)
      }
    }
    return nil
  }

  mutating func remove(_ slot: Int32) {
    small.removeAll { $0.slot == slot }
    main.removeAll { $0.slot == slot }
  }
}
