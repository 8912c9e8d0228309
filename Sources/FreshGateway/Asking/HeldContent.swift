#if Gateway
  internal import NIOCore

  /// Content that is held back until it is whole.
  struct HeldContent {
    private(set) var parts: [ByteBuffer] = []
    private var size = 0
    private let limit: Int
    private let budget: StorageBudget

    init(limit: Int, _ budget: StorageBudget) { (self.limit, self.budget) = (limit, budget) }

    /// False when there is no room for a part.
    mutating func add(_ part: ByteBuffer) -> Bool {
      guard part.readableBytes <= limit - size, budget.take(part.readableBytes) else {
        return false
      }
      parts.add(part.unpinned)
      size += part.readableBytes
      return true
    }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size)
      for part in parts { bytes += part.readableBytesView }
      return bytes
    }

    /// All parts, which it no longer holds.
    mutating func take() -> [ByteBuffer] {
      defer { (parts, size) = ([], 0) }
      budget.giveBack(size)
      return parts
    }
  }
#endif
