#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOHTTP1
  internal import Synchronization

  /// The informational answers of an origin on their way to the client that has sent the request (RFC 9110
  /// section 15.2), until its answer begins.
  final class InterimAnswers: Sendable {
    private let channel: any Channel
    private let version: IncomingRequest.Version
    private let isOver = Mutex(false)

    init(to channel: any Channel, _ version: IncomingRequest.Version) {
      (self.channel, self.version) = (channel, version)
    }

    /// Sends one; by any thread.
    func send(_ status: Int, _ fields: HeaderFields) {
      // HTTP/1.0 knows none.
      guard version == .http11 else { return }
      var buffer = ByteBuffer()
      let phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
      buffer.writeString("HTTP/1.1 \(status) \(phrase)\r\n")
      for line in UndecodedFields.removed(from: HopByHopFields.removed(from: fields)).lines
      where FieldSyntax.isToken(line.name) && FieldSyntax.isFieldValue(line.value) {
        buffer.writeString("\(line.name): \(line.value)\r\n")
      }
      buffer.writeStaticString("\r\n")
      isOver.withLock { [buffer] isOver in
        // Behind it comes the answer, or that of the next request.
        if !isOver { channel.writeAndFlush(buffer, promise: nil) }
      }
    }

    /// The answer begins.
    func end() { isOver.withLock { $0 = true } }
  }
#endif
