internal import Strategies
internal import Synchronization

/// The records of a store that are in memory, decoded.
///
/// One is served only when nobody has committed anything since it was read, which the header of the
/// log's index tells for some nanoseconds; otherwise its row is read again. Where there is no such
/// index nothing is kept.
final class MemoryTier: Sendable {
  private final class Shard: Sendable {
    let state: Mutex<MemoryShard>

    init(_ limits: EvictionSize) {
      state = Mutex(MemoryShard(limits: limits))
    }
  }

  private struct Registry {
    /// How residents are made.
    struct Make: Hashable {
      let collection: UInt32
      let codec: ObjectIdentifier
      let contentVersion: Int64
    }

    var numbers: [String: UInt32] = [:]
    var kinds: [Make: ResidentKind] = [:]

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

  private let shards: [Shard]
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
    let part = EvictionSize(
      entries: max(1, limits.records / count), bytes: max(1, limits.bytes / count))
    shards = (0..<count).map { _ in Shard(part) }
  }

  /// Follows the index of the file that is open now; none while it is being closed.
  func follow(_ index: LogIndex?) {
    self.index.withLock { $0 = index }
    for shard in shards { shard.state.withLock { $0.follow(index) } }
  }

  /// The header as it is now; what is read before it changes may be admitted. `nil` when nothing is
  /// kept.
  var header: LogHeader? {
    guard !shards.isEmpty else { return nil }
    return index.withLock { $0?.header }
  }

  func find(_ key: String, _ kind: ResidentKind) -> MemoryShard.Finding {
    guard !shards.isEmpty, ForkCount.now == birth else { return .nothing }
    let hash = Self.hash(key, kind.collection)
    return shard(hash).state.withLock { $0.find(key, kind, hash: UInt32(truncatingIfNeeded: hash)) }
  }

  /// Takes in what was read after `header` was the header.
  func admit(_ resident: ResidentRecord, readUnder header: LogHeader) {
    let hash = Self.hash(resident.key, resident.kind.collection)
    let bytes =
      Int(resident.record.content.size) + resident.key.utf8.count + Self.bytesPerRecord
    shard(hash).state.withLock {
      $0.admit(
        resident, hash: UInt32(truncatingIfNeeded: hash), bytes: bytes, readUnder: header)
    }
  }

  /// Keeps what is resident over a commit of this store that touched only the given records.
  ///
  /// - Parameter before: The header under the write lock of that commit.
  func keep(over before: LogHeader, touching touched: Touched) {
    // More than one commit: others were at it as well.
    guard let after = header, after.changes == before.changes &+ 1 else { return }
    let collection = registry.withLock { $0.numbers[touched.collection] }
    if let collection { remove(touched.keys, of: collection) }
    for shard in shards { shard.state.withLock { $0.advance(from: before, to: after) } }
  }

  private func remove(_ keys: [String], of collection: UInt32) {
    for key in keys {
      let hash = Self.hash(key, collection)
      shard(hash).state.withLock {
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
      guard codec is any StatelessCodec else { return ResidentKind(collection: number) }
      let make = Registry.Make(
        collection: number, codec: ObjectIdentifier(type(of: codec)),
        contentVersion: contentVersion)
      if let kind = registry.kinds[make] { return kind }
      let kind = ResidentKind(collection: number)
      registry.kinds[make] = kind
      return kind
    }
  }

  private func shard(_ hash: Int) -> Shard {
    shards[(hash >> (Int.bitWidth - Self.shardBits)) & (shards.count - 1)]
  }

  private static func hash(_ key: String, _ collection: UInt32) -> Int {
    var hasher = Hasher()
    hasher.combine(collection)
    hasher.combine(key)
    return hasher.finalize()
  }
}
