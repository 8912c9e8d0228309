/// Chooses the next slot of a cache to evict (S3-FIFO).
///
/// Newcomers pass through a small queue. A newcomer that is hit there, or comes back soon after,
/// goes to the main queue. An entry of the main queue gets another chance for every hit, up to
/// three.
///
/// The owner keeps the values in slots that it numbers from 0, and asks for room first:
///
///     guard queues.admits(fingerprint: fingerprint, bytes: bytes) else { return }
///     while !queues.hasRoom(bytes: bytes), let victim = queues.evict() { free(victim) }
///     queues.insert(slot, fingerprint: fingerprint, bytes: bytes)
///
/// A hit calls `touch`, which reads one byte. It writes the byte for no more than three hits
/// between two visits of an eviction, and once after a turn. All calls but `turn` take constant
/// time (amortized for appends to the arrays).
struct EvictionQueues: Sendable {
  /// Hits that a newcomer needs to stay. A threshold of one would admit a scan that reads every record
  /// twice.
  private static let hitsToPromote: UInt8 = 2
  /// The small queue gets a tenth of each limit.
  private static let smallParts = 10
  /// The longest walk of one eviction: it bounds the time under the lock of the shard.
  private static let maximumMoves = 64
  /// The nodes of the queues themselves come before those of the slots.
  private static let sentinels = EvictionQueue.allCases.count

  /// The initial bounds.
  let limits: EvictionSize

  private let smallLimits: EvictionSize
  private var small = EvictionSize(entries: 0, bytes: 0)
  private var main = EvictionSize(entries: 0, bytes: 0)
  /// Whether nothing was evicted yet.
  private var isFilling = true
  private var nodes: [EvictionNode]
  private var marks: [EvictionMark] = []
  private var ghosts: GhostTable

  /// - Parameter limits: both at least 1. The entries also bound the ghosts (12 bytes of memory for
  ///   each entry, allocated at the first eviction), so they should not be out of all proportion to
  ///   the bytes.
  init(limits: EvictionSize) {
    precondition(limits.entries > 0 && limits.bytes > 0)
    precondition(limits.entries < Int32.max - 2, "a slot has to fit into 32 bits")
    self.limits = limits
    smallLimits = EvictionSize(
      entries: max(1, limits.entries / Self.smallParts),
      bytes: max(1, limits.bytes / Self.smallParts))
    nodes = (0..<Int32(Self.sentinels)).map {
      EvictionNode(next: $0, previous: $0, bytes: 0, fingerprint: 0)
    }
    ghosts = GhostTable(capacity: limits.entries + limits.entries / 2)
  }

  /// How many entries are resident.
  var count: Int { small.entries + main.entries }

  /// The total bytes of all resident entries.
  var bytes: Int { small.bytes + main.bytes }

  /// Whether an entry of that size fits without evicting.
  func hasRoom(bytes needed: Int) -> Bool {
    count < limits.entries && needed <= limits.bytes - bytes
  }

  /// Whether an entry of that size should be kept at all. An entry that would fill the small queue
  /// alone, and flush all other newcomers, has to be requested twice; one that cannot fit is never
  /// kept.
  mutating func admits(fingerprint: UInt32, bytes needed: Int) -> Bool {
    guard needed <= limits.bytes, UInt32(exactly: needed) != nil else { return false }
    guard needed > smallLimits.bytes else { return true }
    let returned = ghosts.recall(fingerprint, window: ghostWindow)
    // Remembered again, so that `insert` finds it and chooses the main queue.
    ghosts.remember(fingerprint)
    return returned
  }

  /// Makes a slot resident.
  /// - Precondition: the slot is not resident, and there is room.
  mutating func insert(_ slot: Int32, fingerprint: UInt32, bytes needed: Int) {
    precondition(hasRoom(bytes: needed), "evict before inserting")
    grow(toHold: slot)
    precondition(marks[Int(slot)] == .absent, "the slot is resident already")
    let returned = ghosts.recall(fingerprint, window: ghostWindow)
    // Otherwise the small queue would fill the cache at first, and the first evictions would have
    // to walk past all its hot entries.
    let overflows = isFilling && isSmallFull
    let node = Int(slot) + Self.sentinels
    nodes[node].bytes = UInt32(needed)
    nodes[node].fingerprint = fingerprint
    let queue: EvictionQueue = returned || overflows ? .main : .small
    enter(node, queue, EvictionMark(queue, hits: 0))
  }

  /// The fingerprint of the slot's last resident.
  func fingerprint(of slot: Int32) -> UInt32 {
    nodes[Int(slot) + Self.sentinels].fingerprint
  }

  /// Notes a hit.
  @inline(__always)
  mutating func touch(_ slot: Int32) {
    let mark = marks[Int(slot)]
    // Most hits are on entries at the maximum: skipping the write keeps the cache line shared.
    if !mark.isSettled { marks[Int(slot)] = mark.touched }
  }

  /// True for a slot that was filled or hit since the last turn but one. The choice of the next
  /// slot to evict does not depend on it.
  func isUsed(_ slot: Int32) -> Bool { marks[Int(slot)].isUsed }

  /// Has uses age: each is forgotten with the second turn.
  mutating func turn() {
    for index in marks.indices { marks[index] = marks[index].turned }
  }

  /// Evicts a slot; `nil` only if none is resident.
  mutating func evict() -> Int32? {
    isFilling = false
    for _ in 0..<Self.maximumMoves {
      guard let node = candidate() else { return nil }
      guard advance(node) else { return drop(node) }
    }
    return candidate().map { drop($0) }
  }

  /// Frees a given slot, of a record that was deleted or has expired: it leaves no ghost.
  /// - Precondition: the slot is resident.
  mutating func remove(_ slot: Int32) {
    leave(Int(slot) + Self.sentinels)
  }

  /// The size of a queue; for tests.
  func size(of queue: EvictionQueue) -> EvictionSize {
    queue == .small ? small : main
  }

  /// The slots of a queue, the newest first; for tests.
  func slots(in queue: EvictionQueue) -> [Int32] {
    var slots: [Int32] = []
    var node = Int(nodes[queue.rawValue].next)
    while node != queue.rawValue {
      precondition(nodes[Int(nodes[node].next)].previous == node, "broken link")
      slots.append(Int32(node - Self.sentinels))
      node = Int(nodes[node].next)
    }
    return slots
  }

  /// The number of evictions for which a ghost is remembered. With one for each entry, a loop a little
  /// longer than the cache never returns in time, and the main queue is stuck with dead entries.
  private var ghostWindow: Int { count + count / 2 }

  private var isSmallFull: Bool {
    small.entries >= smallLimits.entries || small.bytes >= smallLimits.bytes
  }

  /// The next node to examine.
  private func candidate() -> Int? {
    let queue: EvictionQueue = isSmallFull || main.entries == 0 ? .small : .main
    let tail = Int(nodes[queue.rawValue].previous)
    return tail == queue.rawValue ? nil : tail
  }

  /// Moves an entry with enough hits to the head of the main queue.
  /// - Returns: whether it was moved.
  private mutating func advance(_ node: Int) -> Bool {
    let mark = marks[node - Self.sentinels]
    let isNew = mark.queue == .small
    guard mark.hits >= (isNew ? Self.hitsToPromote : 1) else { return false }
    leave(node)
    enter(node, .main, mark.moved(to: .main, hits: isNew ? 0 : mark.hits - 1))
    return true
  }

  private mutating func drop(_ node: Int) -> Int32 {
    let slot = node - Self.sentinels
    if marks[slot].queue == .small { ghosts.remember(nodes[node].fingerprint) }
    leave(node)
    return Int32(slot)
  }

  private mutating func enter(_ node: Int, _ queue: EvictionQueue, _ mark: EvictionMark) {
    let sentinel = queue.rawValue
    let first = Int(nodes[sentinel].next)
    nodes[node].next = Int32(first)
    nodes[node].previous = Int32(sentinel)
    nodes[first].previous = Int32(node)
    nodes[sentinel].next = Int32(node)
    marks[node - Self.sentinels] = mark
    account(queue, entries: 1, bytes: Int(nodes[node].bytes))
  }

  private mutating func leave(_ node: Int) {
    let slot = node - Self.sentinels
    guard let queue = marks[slot].queue else { preconditionFailure("not resident") }
    let links = nodes[node]
    nodes[Int(links.previous)].next = links.next
    nodes[Int(links.next)].previous = links.previous
    marks[slot] = .absent
    account(queue, entries: -1, bytes: -Int(links.bytes))
  }

  private mutating func account(_ queue: EvictionQueue, entries: Int, bytes: Int) {
    switch queue {
    case .small:
      small.entries += entries
      small.bytes += bytes
    case .main:
      main.entries += entries
      main.bytes += bytes
    }
  }

  private mutating func grow(toHold slot: Int32) {
    nodes.reserveSlowly(Int(slot) + 1 + Self.sentinels)
    marks.reserveSlowly(Int(slot) + 1)
    while marks.count <= slot {
      nodes.append(EvictionNode(next: 0, previous: 0, bytes: 0, fingerprint: 0))
      marks.append(.absent)
    }
  }
}
