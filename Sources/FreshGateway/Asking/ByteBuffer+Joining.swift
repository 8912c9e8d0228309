#if Gateway
  internal import NIOCore

  extension ByteBuffer {
    /// The same bytes, in memory of their own where they would else keep much more of it than they are: a part is a slice
    /// of what was read at once, tens of kilobytes, however short it is.
    var unpinned: ByteBuffer {
      storageCapacity > 2 * readableBytes + 1024 ? ByteBuffer(bytes: readableBytesView) : self
    }

    /// Takes in a part that comes right behind this one, where both are short and many wait already; false where the part
    /// is better left by itself.
    ///
    /// A peer may send chunks of one byte. Each takes more room beside its byte than that, keeps what it was received with
    /// in memory, and makes the parts so many that to take the first of them moves all others for long.
    ///
    /// - Parameter count: The number of parts that wait.
    mutating func takeIn(_ next: ByteBuffer, of count: Int) -> Bool {
      guard count >= Self.manyParts, readableBytes + next.readableBytes <= Self.shortPart else {
        return false
      }
      writeImmutableBuffer(next)
      return true
    }

    /// Of so few each may be as it came.
    private static let manyParts = 16
    private static let shortPart = 8 << 10
  }

  extension [ByteBuffer] {
    /// Adds a part, as one with the last where both are short.
    mutating func add(_ part: ByteBuffer) {
      if let last = indices.last, self[last].takeIn(part, of: count) { return }
      append(part)
    }
  }
#endif
