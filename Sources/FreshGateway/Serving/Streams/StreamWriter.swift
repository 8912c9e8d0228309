#if Gateway
  internal import NIOCore
  internal import NIOHPACK
  internal import NIOHTTP2

  /// What is written to one stream of HTTP/2, and how much of it the system has still to take.
  ///
  /// A piece waits until the client has opened its windows, and the connection has carried it; no more than one at a
  /// time is handed over.
  final class StreamWriter {
    /// The writes that were neither taken nor lost.
    private(set) var untaken = 0
    /// When one was last taken, or the first of them written.
    private(set) var lastTaken = NIODeadline.uptimeNanoseconds(0)
    /// True once the end of the answer was written.
    private(set) var hasEnded = false
    /// Where it counts the content that waits.
    private let memory: ClientMemory.Account
    /// Called after each write, and once it was taken or lost.
    var whenChanged: (_ difference: Int, _ isTaken: Bool) -> Void = { _, _ in }

    init(_ memory: ClientMemory.Account) { self.memory = memory }

    /// Writes a head, or trailers, which are the end.
    ///
    /// - Parameter flushes: False for a head whose content is written next.
    func write(
      _ fields: HPACKHeaders, isEnd: Bool, flushes: Bool = true, _ context: ChannelHandlerContext,
      end: @escaping (_ isTaken: Bool) -> Void = { _ in }
    ) {
      let payload = HTTP2Frame.FramePayload.headers(.init(headers: fields, endStream: isEnd))
      write(payload, isEnd: isEnd, flushes: flushes, context, end)
    }

    /// Writes content piece by piece: the next once the system has taken the last.
    ///
    /// - Parameter end: Called once, with the bytes that were taken, and whether all were.
    func write(
      _ buffers: [ByteBuffer], isEnd: Bool, _ context: ChannelHandlerContext,
      end: @escaping (_ taken: Int, _ isWhole: Bool) -> Void
    ) {
      let size = buffers.reduce(0) { $0 + $1.readableBytes }
      // All of it is one piece: the end goes with it.
      let isOnePiece = isEnd && size <= Self.piece
      memory.add(size)
      writeNext(
        AnswerSlices(buffers, of: Self.piece), of: size, taken: 0, endsWithPiece: isOnePiece,
        isEnd: isEnd, context, end)
    }

    private func writeNext(
      _ slices: AnswerSlices, of size: Int, taken: Int, endsWithPiece: Bool, isEnd: Bool,
      _ context: ChannelHandlerContext, _ end: @escaping (_ taken: Int, _ isWhole: Bool) -> Void
    ) {
      var slices = slices
      var piece = slices.next()
      guard let last = piece.popLast() else {
        guard isEnd, !hasEnded else { return end(taken, true) }
        return write(ByteBuffer(), isEnd: true, context) { end(taken, $0) }
      }
      let count = piece.reduce(last.readableBytes) { $0 + $1.readableBytes }
      for buffer in piece {
        context.write(NIOAny(Self.payload(buffer, isEnd: false)), promise: nil)
      }
      let rest = slices
      write(last, isEnd: endsWithPiece, context) { [self] isTaken in
        memory.remove(isTaken ? count : size - taken, isTaken: isTaken)
        guard isTaken else { return end(taken, false) }
        writeNext(
          rest, of: size, taken: taken + count, endsWithPiece: endsWithPiece, isEnd: isEnd, context,
          end)
      }
    }

    private func write(
      _ bytes: ByteBuffer, isEnd: Bool, _ context: ChannelHandlerContext,
      _ end: @escaping (_ isTaken: Bool) -> Void
    ) {
      write(Self.payload(bytes, isEnd: isEnd), isEnd: isEnd, flushes: true, context, end)
    }

    private func write(
      _ payload: HTTP2Frame.FramePayload, isEnd: Bool, flushes: Bool,
      _ context: ChannelHandlerContext, _ end: @escaping (_ isTaken: Bool) -> Void
    ) {
      let loop = context.eventLoop
      if untaken == 0 { lastTaken = loop.now }
      untaken += 1
      // The stream may end, and tell so, before the write returns.
      if isEnd { hasEnded = true }
      whenChanged(1, false)
      let written =
        flushes ? context.writeAndFlush(NIOAny(payload)) : context.write(NIOAny(payload))
      written.assumeIsolated().whenComplete { [self] result in
        untaken -= 1
        let isTaken = if case .success = result { true } else { false }
        if isTaken { lastTaken = loop.now }
        whenChanged(-1, isTaken)
        end(isTaken)
      }
    }

    /// A quarter of what is handed over at once on HTTP/1: all streams of a connection may do so.
    private static let piece = AnswerSlices.size / 4

    private static func payload(_ bytes: ByteBuffer, isEnd: Bool) -> HTTP2Frame.FramePayload {
      .data(.init(data: .byteBuffer(bytes), endStream: isEnd))
    }
  }
#endif
