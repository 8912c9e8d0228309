internal import NIOCore

/// Writes the answer that is ready at the end of each request's head: the least that can be done with
/// a request in SwiftNIO, and so the floor, too.
final class OriginHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answers: OriginAnswers
  /// The bytes of the request so far, and how many of the last ones are of the end of a head.
  private var length = 0
  private var matched = 0
  /// The first letter of the path.
  private var letter: UInt8 = 0

  init(_ answers: OriginAnswers) {
    self.answers = answers
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let carriageReturn = UInt8(ascii: "\r")
    for byte in unwrapInboundIn(data).readableBytesView {
      if length == Self.lengthBeforeLetter { letter = byte }
      length += 1
      let isNext =
        byte == (matched % 2 == 0 ? carriageReturn : UInt8(ascii: "\n"))
      matched = isNext ? matched + 1 : byte == carriageReturn ? 1 : 0
      guard matched == 4 else { continue }
      (length, matched) = (0, 0)
      context.write(wrapOutboundOut(answers.answer(to: letter)), promise: nil)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// That of `GET /`.
  private static let lengthBeforeLetter = 5
}
