#if Gateway
  internal import NIOCore

  /// What is written to one connection, and how much of it the system has still to take.
  ///
  /// The channel's own count (`isWritable`) knows nothing of bytes that wait for TLS.
  final class ConnectionWriter {
    /// The bytes that were written and are not taken.
    private(set) var unsent = 0
    /// When some were last taken, or the first of them written.
    private(set) var lastTaken = NIODeadline.uptimeNanoseconds(0)
    /// Called after each piece that was taken.
    var whenTaken: () -> Void = {}
    /// Where it counts what waits; `nil` until the connection is open.
    var memory: ClientMemory.Account?
    private var needsFlush = false

    /// True when no further answer is to be begun.
    var isFull: Bool { unsent >= Self.limit }

    /// Writes a small answer; it goes with the next flush.
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

    /// Writes an answer, or a part of one, piece by piece: the next once the system has taken the last.
    ///
    /// - Parameter end: Called once, with the bytes that were taken: fewer than all when the client has gone.
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
