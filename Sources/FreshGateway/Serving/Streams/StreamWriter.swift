#if Gateway
  internal import NIOCore
  internal import NIOHPACK
  internal import NIOHTTP2

  /// Writes to one stream of HTTP/2, and counts the writes that the system has not taken.
  ///
  /// A piece waits until the client has opened its windows and the connection has carried it. The writer hands over
  /// only one piece at a time.
  final class StreamWriter {
    /// The writes that were neither taken nor lost.
    private(set) var untaken = 0
    /// When the last write was taken, or the first one was begun.
    private(set) var lastTaken = NIODeadline.uptimeNanoseconds(0)
    /// True when the end of the answer was written.
    private(set) var hasEnded = false
    /// The account for content that waits.
    private let memory: ClientMemory.Account
    /// Called after each write, and after it was taken or lost.
    var whenChanged: (_ difference: Int, _ isTaken: Bool) -> Void = { _, _ in }

    init(_ memory: ClientMemory.Account) { self.memory = memory }

    /// Writes a header section, or trailers, which end the answer.
    ///
    /// - Parameter flushes: False when the body is written next.
    func write(
      _ fields: HPACKHeaders, isEnd: Bool, flushes: Bool = true, _ context: ChannelHandlerContext,
      end: @escaping (_ isTaken: Bool) -> Void = { _ in }
    ) {
      let payload = HTTP2Frame.FramePayload.headers(.init(headers: fields, endStream: isEnd))
      write(payload, isEnd: isEnd, flushes: flushes, context, end)
    }

    /// Writes content piece by piece: each piece follows when the system has taken the one before.
    ///
    /// - Parameter end: Called once, with the number of bytes taken, and true when these are all.
    func write(
      _ buffers: [ByteBuffer], isEnd: Bool, _ context: ChannelHandlerContext,
      end: @escaping (_ taken: Int, _ isWhole: Bool) -> Void
    ) {
      let size = buffers.reduce(0) { $0 + $1.readableBytes }
      // A single piece carries the end of the answer.
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
      // The stream may end, and report it, before the write returns.
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

    /// A quarter of the size for HTTP/1, because all streams of a connection may hand over a piece at once.
    private static let piece = AnswerSlices.size / 4

    private static func payload(_ bytes: ByteBuffer, isEnd: Bool) -> HTTP2Frame.FramePayload {
      .data(.init(data: .byteBuffer(bytes), endStream: isEnd))
    }
  }
#endif
