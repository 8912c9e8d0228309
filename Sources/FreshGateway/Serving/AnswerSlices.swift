#if Gateway
  internal import NIOCore

  /// An answer, or a part of one, cut into pieces of which one at a time is written.
  struct AnswerSlices {
    private var rest: ArraySlice<ByteBuffer>
    private let size: Int

    init(_ buffers: [ByteBuffer], of size: Int = AnswerSlices.size) {
      (rest, self.size) = (buffers[...], size)
    }

    /// The next piece; nothing at the end.
    mutating func next() -> [ByteBuffer] {
      var piece: [ByteBuffer] = []
      var room = size
      while room > 0, var first = rest.popFirst() {
        guard first.readableBytes > room, let part = first.readSlice(length: room) else {
          room -= first.readableBytes
          piece.append(first)
          continue
        }
        room = 0
        piece.append(part)
        rest.insert(first, at: rest.startIndex)
      }
      return piece
    }

    /// Large enough that the system is not called more often than the bytes are worth; small enough that a
    /// client that reads slowly and steadily takes one in the time that it may take nothing.
    static let size = 128 << 10
  }
#endif
