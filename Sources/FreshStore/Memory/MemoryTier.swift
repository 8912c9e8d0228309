internal import Platform
internal import Strategies
internal import Synchronization

/// The records of a store that are in memory, decoded.
///
/// One is served only when nobody has committed anything since it was read, which the header of the
/// log's index tells for some nanoseconds; otherwise its row is read again. Where there is no such
/// index nothing is kept.
final class MemoryTier: Sendable {
  private struct Registry {
    /// A kind that uses of a collection share, and by which codec its residents are made.
    struct Shared {
      let kind: ResidentKind
      let codec: ObjectIdentifier
    }

    var numbers: [ExactName: UInt32] = [:]
    var shared: [Shared] = []

    private var kindCount: UInt32 = 0

    mutating func newKind(of collection: UInt32, contentVersion: Int64) -> ResidentKind {
      defer { kindCount += 1 }
      return ResidentKind(
        number: kindCount, collection: collection, contentVersion: contentVersion)
    }

    mutating func number(of collection: String) -> UInt32 {
      if let number = numbers[collection] { return number }
      let number = UInt32(numbers.count)
      numbers[collection] = number
      return number
    }
  }

  /// What is counted for each record besides its key and its value.
  private static let bytesPerRecord = 160
  private static let shardBits = 4

  private let shards: [LockedShard]
  private let ownCommit = OwnCommit()
  private let hashes = KeyHash()
  /// Who was forked off refuses to work, and is not answered from memory either.
  private let birth = ForkCount.begin()
  private let index = Mutex<LogIndex?>(nil)
  private let registry = Mutex(Registry())

  init(_ limits: MemoryLimits) {
    let count = 1 << Self.shardBits
    guard limits.records > 0, limits.bytes > 0 else {
      shards = []
      return
    }
    // No more records than there are bytes for, however many are asked for, and no more than slots have
    // numbers.
    let records = min(limits.records, limits.bytes / Self.bytesPerRecord + count, 1 << 30)
    let part = EvictionSize(
      entries: max(1, records / count), bytes: max(1, limits.bytes / count))
    shards = (0..<count).map { [ownCommit] _ in LockedShard(part, ownCommit) }
  }

  /// Follows the index of the file that is open now; none while it is being closed.
  func follow(_ index: LogIndex?) {
    self.index.withLock { $0 = index }
    for shard in shards { shard.withLock { $0.follow(index) } }
  }

  /// False when nothing is ever kept.
  var isKeeping: Bool { !shards.isEmpty }

  /// The header as it is now; what is read before it changes may be admitted. `nil` when nothing is
  /// kept.
  var header: LogHeader? {
    guard isKeeping else { return nil }
    return index.withLock { $0?.header }
  }

  func find(_ key: String, _ kind: ResidentKind) -> MemoryShard.Finding {
    guard isKeeping, ForkCount.now == birth else { return .nothing }
    let hash = hashes.of(key, in: kind.collection)
    return shard(hash).withLock { $0.find(key, kind, hash: UInt32(truncatingIfNeeded: hash)) }
  }

  /// The ``ValueBox`` of a record that nobody has changed and that is fresh by its age alone; `nil`
  /// when more has to be asked.
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

  /// Takes in what was read after `header` was the header.
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

  /// Announces that the store is about to commit; to be followed by ``keep(over:touching:)``, if it
  /// has, and by ``endCommit()``.
  func beginCommit() {
    ownCommit.isUnderWay = true
  }

  func endCommit() {
    ownCommit.isUnderWay = false
  }

  /// Keeps what is resident over a commit of this store that touched only the given records.
  ///
  /// - Parameter before: The header under the write lock of that commit.
  func keep(over before: LogHeader, touching touched: Touched) {
    // More than one commit: others were at it as well.
    guard let after = header, after.changes == before.changes &+ 1 else { return }
    for (name, keys) in touched.parts {
      if let collection = registry.withLock({ $0.numbers[name] }) { remove(keys, of: collection) }
    }
    for shard in shards { shard.withLock { $0.advance(from: before, to: after) } }
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
        return registry.newKind(of: number, contentVersion: contentVersion)
      }
      let codec = ObjectIdentifier(type(of: codec))
      let known = registry.shared.first {
        $0.kind.collection == number && $0.kind.contentVersion == contentVersion
          && $0.codec == codec
      }
      if let known { return known.kind }
      let kind = registry.newKind(of: number, contentVersion: contentVersion)
      registry.shared.append(Registry.Shared(kind: kind, codec: codec))
      return kind
    }
  }

  @inline(__always)
  private func shard(_ hash: UInt64) -> LockedShard {
    shards[Int(truncatingIfNeeded: hash >> (64 - UInt64(Self.shardBits)))]
  }
}
