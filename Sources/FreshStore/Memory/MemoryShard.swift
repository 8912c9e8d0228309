/// One part of the memory of a store, behind a lock of its own.
struct MemoryShard {
  private let limits: EvictionSize
  private var index: LogIndex?
  /// The header under which the residents of this generation stand in the file.
  private var header: LogHeader?
  private var generation: UInt32 = 0
  private var table = SlotTable()
  // One array for each, by slot: a read of one of them counts no reference of the others.
  private var residents: [ResidentRecord?] = []
  private var generations: [UInt32] = []
  private var hashes: [UInt32] = []
  private var free: [Int32] = []
  /// Made with the first resident.
  private var queues: EvictionQueues?

  init(limits: EvictionSize) {
    self.limits = limits
  }

  /// What is known of a record.
  enum Finding {
    /// Nothing.
    case nothing
    /// It stands in the file as it is here.
    case current(ResidentRecord)
    /// Something was committed since.
    case outdated(ResidentRecord)
  }

  /// Follows an index, or none. Nobody stays resident.
  mutating func follow(_ index: LogIndex?) {
    self = MemoryShard(limits: limits)
    self.index = index
  }

  mutating func find(_ key: String, _ kind: ResidentKind, hash: UInt32) -> Finding {
    guard let index, let slot = slot(of: key, kind.collection, hash) else { return .nothing }
    meet(index.header)
    guard let resident = residents[Int(slot)], resident.kind === kind else { return .nothing }
    guard generations[Int(slot)] == generation else { return .outdated(resident) }
    queues?.touch(slot)
    return .current(resident)
  }

  /// Takes in what was read while the header was the given one, unless it is another by now.
  mutating func admit(
    _ resident: ResidentRecord, hash: UInt32, bytes: Int, readUnder header: LogHeader
  ) {
    guard let index, index.header == header else { return }
    meet(header)
    if let slot = slot(of: resident.key, resident.kind.collection, hash) { remove(slot) }
    var queues = self.queues.take() ?? EvictionQueues(limits: limits)
    defer { self.queues = queues }
    guard queues.admits(fingerprint: hash, bytes: bytes) else { return }
    while !queues.hasRoom(bytes: bytes), let victim = queues.evict() { release(victim) }
    let slot = free.popLast() ?? append()
    residents[Int(slot)] = resident
    generations[Int(slot)] = generation
    hashes[Int(slot)] = hash
    queues.insert(slot, fingerprint: hash, bytes: bytes)
    table.insert(slot, hash: hash)
  }

  /// Lets a record go, whatever its kind.
  mutating func remove(_ key: String, _ collection: UInt32, hash: UInt32) {
    if let slot = slot(of: key, collection, hash) { remove(slot) }
  }

  /// Notes that between two headers lies one commit, which left the residents as they are.
  mutating func advance(from before: LogHeader, to after: LogHeader) {
    if header == before { header = after }
  }

  private mutating func meet(_ header: LogHeader) {
    guard self.header != header else { return }
    self.header = header
    generation &+= 1
  }

  private func slot(of key: String, _ collection: UInt32, _ hash: UInt32) -> Int32? {
    table.slot(hash: hash) { slot in
      guard let resident = residents[Int(slot)] else { return false }
      return resident.kind.collection == collection && resident.isNamed(key)
    }
  }

  private mutating func append() -> Int32 {
    residents.append(nil)
    generations.append(0)
    hashes.append(0)
    return Int32(residents.count - 1)
  }

  private mutating func remove(_ slot: Int32) {
    queues?.remove(slot)
    release(slot)
  }

  private mutating func release(_ slot: Int32) {
    table.remove(slot, hash: hashes[Int(slot)])
    residents[Int(slot)] = nil
    free.append(slot)
  }
}
