#if Gateway
  internal import FreshStore
  internal import NIOCore

  /// Reads what lies in blocks, one block at a time, on a thread of its own: whoever sends it to a client that is slow
  /// has no more of it in memory, and holds neither a thread nor a read of the file meanwhile.
  struct BlockReader: Sendable {
    private let store: Store
    private let cache = BlockCache()
    private let queue = WorkQueue("freshstore.blocks")

    init(_ store: Store) { self.store = store }

    /// What a block has of a range of its value, from the beginning of the range on; `nil` when the block is gone, or
    /// damaged.
    func bytes(_ range: Range<Int64>, of reference: ContentReference) async -> ByteBuffer? {
      let size = Int64(ContentReference.blockSize)
      let number = Int(range.lowerBound / size)
      guard let block = await block(number, of: reference) else { return nil }
      let start = Int(range.lowerBound - Int64(number) * size)
      let count = min(block.readableBytes - start, Int(min(size, Int64(range.count))))
      guard count > 0 else { return nil }
      return block.getSlice(at: block.readerIndex + start, length: count)
    }

    private func block(_ number: Int, of reference: ContentReference) async -> ByteBuffer? {
      if let block = cache.block(number, of: reference) { return block }
      do throws(StoreError) {
        let block = try await queue.run { [store] () throws(StoreError) in
          try store.block(number, of: reference).map { ByteBuffer(bytes: $0) }
        }
        if let block { cache.add(block, number, of: reference) }
        return block
      } catch {
        // The file cannot be read: what is being sent ends early.
        return nil
      }
    }
  }
#endif
