#if Gateway
  internal import NIOCore

  /// Writes to one connection, and counts the bytes that the system has not taken.
  ///
  /// The channel's own count (`isWritable`) misses bytes that wait for TLS.
  final class ConnectionWriter {
    /// The bytes that were written and not taken.
    private(set) var unsent = 0
    /// When bytes were last taken, or the first of them written.
    private(set) var lastTaken = NIODeadline.uptimeNanoseconds(0)
    /// Called after each piece that was taken.
    var whenTaken: () -> Void = {}
    /// The account for bytes that wait; `nil` until the connection is open.
    var memory: ClientMemory.Account?
    private var needsFlush = false

    /// True when no further answer may begin.
    var isFull: Bool { unsent >= Self.limit }

    /// Writes a small answer with the next flush.
    func write(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
      let count = buffer.readableBytes
      memory?.add(count)
      add(count, context)
      needsFlush = true
      context.write(NIOAny(buffer)).assumeIsolated().whenComplete { [self] result in
        take(count, result, context)
      }
    }

    func flush(_ context: ChannelHandlerContext) {
      guard needsFlush else { return }
      needsFlush = false
      context.flush()
    }

    /// Writes an answer, or a part of one, piece by piece: each piece follows when the system has taken the one before.
    ///
    /// - Parameter end: Called once, with the number of bytes taken: fewer than all when the client has left.
    func write(
      _ buffers: [ByteBuffer], _ context: ChannelHandlerContext,
      end: @escaping (_ taken: Int) -> Void
    ) {
      needsFlush = false
      let size = buffers.reduce(0) { $0 + $1.readableBytes }
      memory?.add(size)
      writeNext(AnswerSlices(buffers), of: size, taken: 0, context, end)
    }

    private func writeNext(
      _ slices: AnswerSlices, of size: Int, taken: Int, _ context: ChannelHandlerContext,
      _ end: @escaping (_ taken: Int) -> Void
    ) {
      var slices = slices
      var piece = slices.next()
      guard let last = piece.popLast() else { return end(taken) }
      let count = piece.reduce(last.readableBytes) { $0 + $1.readableBytes }
      add(count, context)
      for buffer in piece { context.write(NIOAny(buffer), promise: nil) }
      let rest = slices
      context.writeAndFlush(NIOAny(last)).assumeIsolated().whenComplete { [self] result in
        take(count, result, context)
        switch result {
        case .success: writeNext(rest, of: size, taken: taken + count, context, end)
        case .failure:
          memory?.remove(size - taken - count, isTaken: false)
          end(taken)
        }
      }
    }

    private func add(_ count: Int, _ context: ChannelHandlerContext) {
      if unsent == 0 { lastTaken = context.eventLoop.now }
      unsent += count
    }

    private func take(
      _ count: Int, _ result: Result<Void, any Error>, _ context: ChannelHandlerContext
    ) {
      unsent -= count
      guard case .success = result else {
        memory?.remove(count, isTaken: false)
        return
      }
      memory?.remove(count)
      lastTaken = context.eventLoop.now
      whenTaken()
    }

    private static let limit = 64 << 10
  }

  /// Cuts an answer, or a part of one, into pieces that are written one at a time.
  struct AnswerSlices {
    private var rest: ArraySlice<ByteBuffer>
    private let size: Int

    init(_ buffers: [ByteBuffer], of size: Int = AnswerSlices.size) {
      (rest, self.size) = (buffers[...], size)
    }

    /// Returns the next piece; nothing at the end.
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

    /// A smaller piece would cost too many system calls. A larger piece could exceed the time limit of a client that
    /// reads slowly but steadily.
    static let size = 128 << 10
  }
#endif
