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
#endif
