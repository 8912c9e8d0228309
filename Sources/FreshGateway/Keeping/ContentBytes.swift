#if Gateway
  internal import FreshStore
  internal import NIOCore
  internal import Synchronization

  /// The stored bytes of a representation, one extent behind the other.
  struct ContentBytes: Sendable {
    /// Bytes in the file, and the record that has them.
    struct Stored: Sendable {
      let blocks: ContentReference
      /// `nil` for bytes that no record has yet.
      let record: KeptRecord<StoredBody>?
    }

    let content: StoredContent
    /// Empty for bytes in the file.
    let bytes: ByteBuffer
    /// The place of bytes that are not in memory.
    let stored: Stored?

    init(content: StoredContent, bytes: ByteBuffer) {
      (self.content, self.bytes, stored) = (content, bytes, nil)
    }

    init(content: StoredContent, stored: Stored) {
      (self.content, bytes, self.stored) = (content, ByteBuffer(), stored)
    }

    /// The place of a range among the stored bytes; `nil` when not all of them are stored.
    func place(of range: Range<Int64>) -> Range<Int64>? {
      var offset: Int64 = 0
      for extent in content.extents {
        if extent.lowerBound <= range.lowerBound, range.upperBound <= extent.upperBound {
          let start = offset + range.lowerBound - extent.lowerBound
          return start..<start + (range.upperBound - range.lowerBound)
        }
        offset += Int64(extent.count)
      }
      return range.isEmpty ? 0..<0 : nil
    }

    /// The bytes of a range; `nil` when not all of them are in memory.
    func slice(_ range: Range<Int64>) -> ByteBuffer? {
      guard stored == nil, let place = place(of: range) else { return nil }
      return bytes.getSlice(
        at: bytes.readerIndex + Int(place.lowerBound), length: place.count)
    }

    /// A range of a source.
    typealias Piece = (source: ContentBytes, range: Range<Int64>)

    /// The bytes of several extents, each from one of two sources; `nil` when neither has all of one.
    static func joined(
      _ extents: [Range<Int64>], from new: ContentBytes, _ old: ContentBytes
    ) -> ByteBuffer? {
      var joined = ByteBuffer()
      for piece in pieces(of: extents, from: new, old) ?? [] {
        guard var bytes = piece.source.slice(piece.range) else { return nil }
        joined.writeBuffer(&bytes)
      }
      return Int64(joined.readableBytes) == extents.reduce(0) { $0 + Int64($1.count) }
        ? joined : nil
    }

    /// The sources of several extents; `nil` when neither of two has all bytes.
    static func pieces(
      of extents: [Range<Int64>], from new: ContentBytes, _ old: ContentBytes
    ) -> [Piece]? {
      var pieces: [Piece] = []
      for extent in extents {
        var position = extent.lowerBound
        while position < extent.upperBound {
          guard let part = new.part(from: position) ?? old.part(from: position, before: new)
          else { return nil }
          let end = min(extent.upperBound, part.end)
          pieces.append((part.source, position..<end))
          position = end
        }
      }
      return pieces
    }

    private func part(from position: Int64) -> (source: ContentBytes, end: Int64)? {
      content.extents.first { $0.contains(position) }.map { (self, $0.upperBound) }
    }

    private func part(
      from position: Int64, before other: ContentBytes
    ) -> (source: ContentBytes, end: Int64)? {
      part(from: position).map { part in
        let next = other.content.extents.map(\.lowerBound).first { $0 > position }
        return (part.source, min(part.end, next ?? part.end))
      }
    }
  }

  /// All of an answer's content, about to be stored.
  enum ArrivedContent: Sendable {
    /// Short content, which becomes a part of its record.
    case bytes(ByteBuffer)
    /// Long content, which was written into blocks while it arrived.
    case blocks(ContentReference)

    var length: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.readableBytes)
      case .blocks(let blocks): blocks.size
      }
    }
  }

  /// Writes the values that are combined for the records of one answer.
  struct ContentWriters {
    private let request: SourceRequest?
    private let room: StorageQuota
    private var writers: [ContentWriter] = []
    /// The bytes that were reserved.
    private var taken = 0

    /// - Parameter room: The disk space that all content in flight shares.
    init(for request: SourceRequest?, _ room: StorageQuota) {
      (self.request, self.room) = (request, room)
    }

    /// Begins another value; `nil` where there is no room for its length.
    mutating func next(_ length: Int64, in store: Store) -> ContentWriter? {
      guard room.take(Int(length)) else { return nil }
      taken += Int(length)
      let writer = ContentWriter(store, for: request, within: room.limit)
      writers.append(writer)
      return writer
    }

    /// Gives up the values that no record has by now, and returns the room.
    mutating func giveUp() async {
      for writer in writers { await writer.giveUp(isRead: false) }
      room.giveBack(taken)
      (writers, taken) = ([], 0)
    }
  }

  /// Reads content from blocks, one block at a time, on a thread of its own.
  ///
  /// For a slow client no more than one block is in memory, and neither a thread nor a read of the file waits for it.
  struct BlockReader: Sendable {
    private let store: Store
    private let cache = BlockCache()
    private let queue = WorkQueue("freshstore.blocks")

    init(_ store: Store) { self.store = store }

    /// The bytes that one block has from the beginning of a range; `nil` when the block is gone or damaged.
    ///
    /// - Throws: The error of a file that cannot be read now: the block may be whole.
    func bytes(
      _ range: Range<Int64>, of reference: ContentReference
    ) async throws(StoreError) -> ByteBuffer? {
      let size = Int64(ContentReference.blockSize)
      let number = Int(range.lowerBound / size)
      guard let block = try await block(number, of: reference) else { return nil }
      let start = Int(range.lowerBound - Int64(number) * size)
      let count = min(block.readableBytes - start, Int(min(size, Int64(range.count))))
      guard count > 0 else { return nil }
      return block.getSlice(at: block.readerIndex + start, length: count)
    }

    private func block(
      _ number: Int, of reference: ContentReference
    ) async throws(StoreError) -> ByteBuffer? {
      if let block = cache.block(number, of: reference) { return block }
      guard let bytes = try await store.block(number, of: reference, on: queue) else { return nil }
      let block = ByteBuffer(bytes: bytes)
      cache.add(block, number, of: reference)
      return block
    }
  }

  /// The blocks that were read last. Clients at the same place of the same content share one block.
  ///
  /// A block never changes, and no other block ever gets its name.
  final class BlockCache: Sendable {
    private struct Entry {
      let content: Int64
      let number: Int
      let bytes: ByteBuffer
    }

    /// The most recently used entry is the last one.
    private let entries = Mutex<[Entry]>([])
    private let capacity: Int

    /// - Parameter capacity: The number of blocks, of 256 KiB each.
    init(capacity: Int = 64) { self.capacity = capacity }

    func block(_ number: Int, of reference: ContentReference) -> ByteBuffer? {
      entries.withLock { entries in
        guard
          let place = entries.lastIndex(where: {
            $0.content == reference.id && $0.number == number
          })
        else { return nil }
        let entry = entries.remove(at: place)
        entries.append(entry)
        return entry.bytes
      }
    }

    func add(_ bytes: ByteBuffer, _ number: Int, of reference: ContentReference) {
      entries.withLock { entries in
        entries.removeAll { $0.content == reference.id && $0.number == number }
        if entries.count >= capacity { entries.removeFirst() }
        entries.append(Entry(content: reference.id, number: number, bytes: bytes))
      }
    }
  }
#endif
