internal import Platform
internal import Strategies
internal import Synchronization

/// The decoded records of a store that are in memory.
///
/// A record is served only when nothing has been committed since it was read; otherwise its row is read again. The
/// header of the log's index shows that within some nanoseconds. Without such an index nothing is kept.
final class MemoryTier: Sendable {
  private struct Registry {
    /// The properties that uses of a collection have in common when they share a kind.
    struct Use: Hashable {
      let collection: UInt32
      let contentVersion: Int64
      let codec: ObjectIdentifier
    }

    var numbers: [ExactName: UInt32] = [:]
    var shared: [Use: ResidentKind] = [:]

    private var kindCount: UInt32 = 0

    mutating func newKind(
      of collection: String, _ number: UInt32, contentVersion: Int64
    ) -> ResidentKind {
      defer { kindCount += 1 }
      return ResidentKind(
        number: kindCount, name: collection, collection: number, contentVersion: contentVersion)
    }

    mutating func number(of collection: String) -> UInt32 {
      if let number = numbers[collection] { return number }
      let number = UInt32(numbers.count)
      numbers[collection] = number
      return number
    }
  }

  /// The fixed size counted for each record besides its key and its value.
  private static let bytesPerRecord = 160
  private static let shardBits = 4

  private let shards: [LockedShard]
  private let ownCommit = OwnCommit()
  private let hashes = KeyHash()
  /// A forked child refuses to work, and gets no answer from memory either.
  private let birth = ForkCount.begin()
  private let index = Mutex<LogIndex?>(nil)
  private let registry = Mutex(Registry())
  private let untroubled = UntroubledOrigins()
  /// The values in blocks that were read: most are too long for memory.
  private let contents = RecentUses()
  /// The checksums of the records that were read and that memory does not take, as they are marked.
  private let others = RecentUses()
  /// The amount that was removed since uses last aged, as a part of what may stay.
  private let removed = Mutex(0.0)

  init(_ limits: MemoryLimits) {
    let count = 1 << Self.shardBits
    guard limits.records > 0, limits.bytes > 0 else {
      shards = []
      return
    }
    // Neither the bytes nor the slot numbers allow more records, however high the limit is.
    let records = min(limits.records, limits.bytes / Self.bytesPerRecord + count, 1 << 30)
    let part = EvictionSize(
      entries: max(1, records / count), bytes: max(1, limits.bytes / count))
    shards = (0..<count).map { [ownCommit] _ in LockedShard(part, ownCommit) }
  }

  /// Follows the index of the open file; none while it is being closed.
  func follow(_ index: LogIndex?) {
    self.index.withLock { $0 = index }
    untroubled.forget()
    for shard in shards { shard.withLock { $0.follow(index) } }
  }

  /// Drops all records. It waits for no writer.
  func empty() {
    untroubled.forget()
    for shard in shards { shard.withLock { $0.empty() } }
  }

  /// False when the limits allow no records.
  var isKeeping: Bool { !shards.isEmpty }

  /// The current header; a record read before it changes may be admitted. `nil` when nothing is
  /// kept.
  var header: LogHeader? {
    guard isKeeping else { return nil }
    return index.withLock { $0?.header }
  }

  func find(_ key: String, _ kind: ResidentKind) -> MemoryShard.Finding? {
    guard isKeeping, ForkCount.now == birth else { return nil }
    let hash = hashes.of(key, in: kind.collection)
    return shard(hash).withLock { $0.find(key, kind, hash: UInt32(truncatingIfNeeded: hash)) }
  }

  /// The ``ValueBox`` of a record that is unchanged, if its age shows that it is fresh; `nil` when more must be
  /// checked.
  func fresh(
    _ key: String, _ kind: ResidentKind, at now: BootTime, allowedSkew: Int64
  ) -> (any AnyObject & Sendable)? {
    guard isKeeping, ForkCount.now == birth else { return nil }
    let hash = hashes.of(key, in: kind.collection)
    return shard(hash).withLock {
      $0.fresh(
        key, kind, hash: UInt32(truncatingIfNeeded: hash), at: now, allowedSkew: allowedSkew)
    }
  }

  /// Admits a record that was read after `header` was current.
  ///
  /// - Parameter size: The bytes of its value.
  func admit(_ resident: Resident, size: Int, readUnder header: LogHeader) {
    guard isKeeping else { return }
    let hash = hashes.of(resident.key, in: resident.collection)
    let bytes = size + resident.key.utf8.count + Self.bytesPerRecord
    shard(hash).withLock {
      $0.admit(
        resident, hash: UInt32(truncatingIfNeeded: hash), bytes: bytes, readUnder: header)
    }
  }

  /// Notes the beginning of a read of a value in blocks that memory does not have.
  func noteUse(of content: ContentReference) { contents.note(content.id) }

  /// Notes a read of a record that memory does not take.
  func noteUse(ofRow checksum: Int64) { others.note(checksum) }

  /// The records that were used recently. Cost: a look at each resident, one shard at a time.
  var used: UsedRecords {
    var used = UsedRecords(checksums: others.all, contents: contents.all)
    for shard in shards { used.checksums.formUnion(shard.withLock { $0.used }) }
    return used
  }

  /// Notes that a prune has removed records, as a part of what may stay.
  ///
  /// Uses age with the removals, not with time. A use is forgotten when about as much was removed since then as may
  /// stay.
  func noteRemoved(_ part: Double) {
    let isDue = removed.withLock { removed -> Bool in
      removed += part
      guard removed >= 0.5 else { return false }
      removed = 0
      return true
    }
    guard isDue else { return }
    for shard in shards { shard.withLock { $0.turn() } }
    contents.turn()
    others.turn()
  }

  /// Announces that the store is about to commit; followed by ``keep(over:touching:)`` after a
  /// commit, and always by ``endCommit()``.
  func beginCommit() {
    ownCommit.isRunning = true
  }

  func endCommit() {
    ownCommit.isRunning = false
  }

  /// Keeps the residents over a commit of this store that touched only the given records.
  ///
  /// - Parameter before: The header under the write lock of that commit.
  func keep(over before: LogHeader, touching touched: AffectedKeys) {
    // More than one commit: another writer was active as well.
    guard let after = header, after.changes == before.changes &+ 1 else { return }
    for (name, keys) in touched.parts {
      if let collection = registry.withLock({ $0.numbers[name] }) { remove(keys, of: collection) }
    }
    for shard in shards { shard.withLock { $0.advance(from: before, to: after) } }
    untroubled.advance(from: before, to: after)
  }

  /// True when the file is known to have no row of an origin: none was found, and no commit since then can have
  /// made one.
  func isUntroubled(_ origin: String) -> Bool {
    guard ForkCount.now == birth, let header else { return false }
    return untroubled.contains(origin, under: header)
  }

  /// Notes that the file had no row of an origin when it was read after `header` was current.
  func noteUntroubled(_ origin: String, readUnder header: LogHeader) {
    guard self.header == header else { return }
    untroubled.add(origin, under: header)
  }

  /// The store is about to commit a row of an origin.
  func touchOrigins() { untroubled.touch() }

  /// Removes a record.
  func forget(_ key: String, _ kind: ResidentKind) {
    guard isKeeping else { return }
    remove([key], of: kind.collection)
  }

  private func remove(_ keys: [String], of collection: UInt32) {
    for key in keys {
      let hash = hashes.of(key, in: collection)
      shard(hash).withLock {
        $0.remove(key, collection, hash: UInt32(truncatingIfNeeded: hash))
      }
    }
  }

  /// The kind of the residents of a collection. Uses of it whose codecs are interchangeable share
  /// one.
  func kind<Value>(
    of collection: String, _ codec: some Codec<Value>, contentVersion: Int64
  ) -> ResidentKind {
    registry.withLock { registry in
      let number = registry.number(of: collection)
      guard codec is any StatelessCodec else {
        return registry.newKind(of: collection, number, contentVersion: contentVersion)
      }
      let use = Registry.Use(
        collection: number, contentVersion: contentVersion,
        codec: ObjectIdentifier(type(of: codec)))
      if let kind = registry.shared[use] { return kind }
      let kind = registry.newKind(of: collection, number, contentVersion: contentVersion)
      registry.shared[use] = kind
      return kind
    }
  }

  @inline(__always)
  private func shard(_ hash: UInt64) -> LockedShard {
    shards[Int(truncatingIfNeeded: hash >> (64 - UInt64(Self.shardBits)))]
  }
}

/// The limits of a store's memory.
public struct MemoryLimits: Sendable, Hashable {
  /// The most records.
  public var records: Int
  /// The most bytes, counted as the size of the stored values and keys plus 160 for each record. A
  /// decoded value may take more.
  public var bytes: Int

  /// Creates limits.
  public init(records: Int, bytes: Int) {
    self.records = records
    self.bytes = bytes
  }

  /// 10,000 records of 32 MiB together.
  public static var standard: MemoryLimits { MemoryLimits(records: 10_000, bytes: 32 << 20) }
  /// Keeps nothing: every read asks the file.
  public static var none: MemoryLimits { MemoryLimits(records: 0, bytes: 0) }
}
