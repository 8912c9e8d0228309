internal import Platform
internal import Synchronization

/// One part of a store's memory, behind a lock of its own.
struct MemoryShard {
  private let limits: EvictionSize
  private let ownCommit: OwnCommit
  private var index: LogIndex?
  /// The header under which the residents of this generation are current.
  private var header: LogHeader?
  private var generation: UInt32 = 0
  private var table = SlotTable()
  private var slots: [Resident] = []
  private var free: [Int32] = []
  /// Created with the first resident.
  private var queues: EvictionQueues?

  init(limits: EvictionSize, _ ownCommit: OwnCommit) {
    self.limits = limits
    self.ownCommit = ownCommit
  }

  /// A resident, and whether it equals the row in the file: something may have been committed since.
  struct Finding {
    let judged: JudgedRecord
    let box: any AnyObject & Sendable
    let origin: CopyOrigin?
    /// The checksum of its row.
    let checksum: Int64
    let isCurrent: Bool
  }

  /// Follows an index, or none. All residents are dropped.
  mutating func follow(_ index: LogIndex?) {
    self = MemoryShard(limits: limits, ownCommit)
    self.index = index
  }

  /// Drops all residents.
  mutating func empty() { follow(index) }

  mutating func find(_ key: String, _ kind: ResidentKind, hash: UInt32) -> Finding? {
    guard let index, let slot = slot(of: key, kind.collection, hash) else { return nil }
    let isKnown = notice(index.header)
    let place = Int(slot)
    guard slots[place].kind == kind.number else { return nil }
    let isCurrent = isKnown && slots[place].generation == generation
    if isCurrent { queues?.touch(slot) }
    return Finding(
      judged: slots[place].judged(version: Int(kind.contentVersion)), box: slots[place].box,
      origin: slots[place].details?.origin, checksum: slots[place].checksum, isCurrent: isCurrent)
  }

  /// The box of a record that equals the row in the file and is fresh by its age; `nil` when more must be checked.
  @inline(__always)
  mutating func fresh(
    _ key: String, _ kind: ResidentKind, hash: UInt32, at now: BootTime, allowedSkew: Int64
  ) -> (any AnyObject & Sendable)? {
    guard let index, let slot = slot(of: key, kind.collection, hash), notice(index.header) else {
      return nil
    }
    let place = Int(slot)
    guard slots[place].kind == kind.number, slots[place].generation == generation,
      slots[place].isFresh(at: now, allowedSkew: allowedSkew)
    else { return nil }
    queues?.touch(slot)
    return slots[place].box
  }

  /// Admits a record that was read under the given header, unless the header has changed since.
  mutating func admit(
    _ resident: Resident, hash: UInt32, bytes: Int, readUnder header: LogHeader
  ) {
    guard let index, index.header == header, notice(header) else { return }
    if let slot = slot(of: resident.key, resident.collection, hash) {
      guard
        slots[Int(slot)].kind != resident.kind
          || slots[Int(slot)].checksum != resident.checksum
      else {
        // Failures noted since then are in no checksum.
        slots[Int(slot)] = resident
        return renew(slot)
      }
      remove(slot, hash)
    }
    var queues = self.queues.take() ?? EvictionQueues(limits: limits)
    defer { self.queues = queues }
    guard queues.admits(fingerprint: hash, bytes: bytes) else { return }
    while !queues.hasRoom(bytes: bytes), let victim = queues.evict() {
      release(victim, queues.fingerprint(of: victim))
    }
    let slot = free.popLast() ?? append()
    slots[Int(slot)] = resident
    slots[Int(slot)].generation = generation
    queues.insert(slot, fingerprint: hash, bytes: bytes)
    table.insert(slot, hash: hash)
  }

  /// Removes a record of any kind.
  mutating func remove(_ key: String, _ collection: UInt32, hash: UInt32) {
    if let slot = slot(of: key, collection, hash) { remove(slot, hash) }
  }

  /// Notes that one commit, which left the residents unchanged, lies between two headers.
  mutating func advance(from before: LogHeader, to after: LogHeader) {
    if header == before { header = after }
  }

  /// The checksums of the residents that were used since the last turn but one.
  var used: [Int64] {
    guard let queues else { return [] }
    return slots.indices.filter { queues.isUsed(Int32($0)) }.map { slots[$0].checksum }
  }

  /// Ages the uses of the residents.
  mutating func turn() { queues?.turn() }

  /// Notes that the file still has the row of a resident.
  private mutating func renew(_ slot: Int32) {
    slots[Int(slot)].generation = generation
    queues?.touch(slot)
  }

  /// Outdates the residents when the header has changed. False while that may be the store's own
  /// commit, which ``advance(from:to:)`` will report.
  @inline(__always)
  private mutating func notice(_ header: LogHeader) -> Bool {
    guard self.header != header else { return true }
    guard !ownCommit.isRunning else { return false }
    self.header = header
    generation &+= 1
    return true
  }

  @inline(__always)
  private func slot(of key: String, _ collection: UInt32, _ hash: UInt32) -> Int32? {
    table.slot(hash: hash) { slot in
      slots[Int(slot)].collection == collection && slots[Int(slot)].isNamed(key)
    }
  }

  private mutating func append() -> Int32 {
    slots.reserveSlowly(slots.count + 1)
    slots.append(Self.vacant)
    return Int32(slots.count - 1)
  }

  private mutating func remove(_ slot: Int32, _ hash: UInt32) {
    queues?.remove(slot)
    release(slot, hash)
  }

  private mutating func release(_ slot: Int32, _ hash: UInt32) {
    table.remove(slot, hash: hash)
    slots[Int(slot)] = Self.vacant
    free.append(slot)
  }

  private static let vacant = Resident(vacant: NoValue.shared)
}

/// One part of a store's memory, and its lock.
final class LockedShard: Sendable {
  /// The number of attempts to take the lock.
  private static let tries = 50

  private let state: Mutex<MemoryShard>

  init(_ limits: EvictionSize, _ ownCommit: OwnCommit) {
    state = Mutex(MemoryShard(limits: limits, ownCommit))
  }

  /// A caller that finds the lock taken yields. If a thread waited in the kernel, the kernel would hand the lock to
  /// it and to all threads after it. Each time that costs many times a look-up.
  @inline(__always)
  func withLock<Result: Sendable>(_ body: (inout MemoryShard) -> Result) -> Result {
    for _ in 0..<Self.tries {
      if let result = state.withLockIfAvailable({ body(&$0) }) { return result }
      sched_yield()
    }
    return state.withLock { body(&$0) }
  }
}

/// Whether the store itself is committing: changes in the file meanwhile are its own.
final class OwnCommit: Sendable {
  private let state = Atomic<Bool>(false)

  /// Set before the header changes, so that a thread that sees the new header sees this as well.
  var isRunning: Bool {
    get { state.load(ordering: .acquiring) }
    set { state.store(newValue, ordering: .releasing) }
  }
}

/// Represents in memory the value of an object that does not exist, and fills free slots.
final class NoValue: Sendable {
  static let shared = NoValue()
}
