#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  extension AnswerHead {
    /// Writes the end of chunked content, with what stands behind it (RFC 9112 section 7.1.2).
    static func writeLastChunk(_ trailers: HeaderFields, into buffer: inout ByteBuffer) {
      buffer.writeStaticString("0\r\n")
      for line in trailers.lines { buffer.writeString("\(line.name): \(line.value)\r\n") }
      buffer.writeStaticString("\r\n")
    }
  }
#endif
