#if Gateway
  internal import FreshStore
  internal import NIOCore

  /// Reads what lies in blocks, one block at a time, on a thread of its own: whoever sends it to a client that is slow
  /// has no more of it in memory, and holds neither a thread nor a read of the file meanwhile.
  struct BlockReader: Sendable {
    private let store: Store
    private let queue = WorkQueue("freshstore.blocks")

    init(_ store: Store) { self.store = store }

    /// What a block has of a range of its value, from the beginning of the range on; `nil` when the block is gone, or
    /// damaged.
    func bytes(_ range: Range<Int64>, of reference: ContentReference) async -> ByteBuffer? {
      let size = Int64(ContentReference.blockSize)
      let number = Int(range.lowerBound / size)
      do throws(StoreError) {
        return try await queue.run { [store] () throws(StoreError) -> ByteBuffer? in
          guard let block = try store.block(number, of: reference) else { return nil }
          let start = Int(range.lowerBound - Int64(number) * size)
          let end = min(block.count, start + Int(min(size, range.upperBound - range.lowerBound)))
          guard start < end else { return nil }
          return ByteBuffer(bytes: block[start..<end])
        }
      } catch {
        // The file cannot be read: what is being sent ends early.
        return nil
      }
    }
  }
#endif
