#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOHTTP1

  /// The head of an answer to an HTTP/1 client (RFC 9112).
  struct AnswerHead {
    /// The end of the content.
    enum Framing: Hashable {
      /// There is no content, even with a `Content-Length`.
      case none
      case length
      case chunked
      /// The close of the connection ends it.
      case close
    }

    let status: Int
    let fields: HeaderFields
    let framing: Framing
    let keepsConnection: Bool

    /// - Parameters:
    ///   - hasContent: False for HEAD; 204 and 304 never have any (RFC 9112 section 6.3).
    ///   - keepsConnection: True when both the client and this side would keep the connection.
    init(
      _ status: Int, _ fields: HeaderFields, hasContent: Bool,
      to version: IncomingRequest.Version, keepsConnection: Bool
    ) {
      self.status = status
      self.fields = fields
      if !hasContent || status == 204 || status == 304 {
        framing = .none
      } else if fields.first("Content-Length") != nil {
        framing = .length
      } else {
        // RFC 9112 section 6.1: HTTP/1.0 has no chunks.
        framing = version == .http10 ? .close : .chunked
      }
      self.keepsConnection = keepsConnection && framing != .close
    }

    /// Writes the head.
    ///
    /// - Parameter date: The `Date` of an answer that has none (RFC 9110 section 6.6.1).
    func write(
      into buffer: inout ByteBuffer, to version: IncomingRequest.Version,
      date: @autoclosure () -> String
    ) {
      buffer.writeStaticString("HTTP/1.1 ")
      buffer.writeString("\(status) ")
      buffer.writeString(HTTPResponseStatus(statusCode: status).reasonPhrase)
      buffer.writeStaticString("\r\n")
      var hasDate = false
      for line in fields.lines {
        if FieldSyntax.equalIgnoringCase(line.name, "Date") { hasDate = true }
        buffer.write(line)
      }
      if !hasDate {
        buffer.writeStaticString("Date: ")
        buffer.writeString(date())
        buffer.writeStaticString("\r\n")
      }
      if framing == .chunked { buffer.writeStaticString("Transfer-Encoding: chunked\r\n") }
      if !keepsConnection {
        buffer.writeStaticString("Connection: close\r\n")
      } else if version == .http10 {
        buffer.writeStaticString("Connection: keep-alive\r\n")
      }
      buffer.writeStaticString("\r\n")
    }

    /// Writes the last chunk and the trailers (RFC 9112 section 7.1.2).
    static func writeLastChunk(_ trailers: HeaderFields, into buffer: inout ByteBuffer) {
      buffer.writeStaticString("0\r\n")
      for line in trailers.lines { buffer.write(line) }
      buffer.writeStaticString("\r\n")
    }

    /// Writes an informational answer (RFC 9110 section 15.2).
    static func writeInterim(_ status: Int, _ fields: HeaderFields, into buffer: inout ByteBuffer) {
      let phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
      buffer.writeString("HTTP/1.1 \(status) \(phrase)\r\n")
      for line in fields.lines { buffer.write(line) }
      buffer.writeStaticString("\r\n")
    }
  }

  extension ByteBuffer {
    fileprivate mutating func write(_ line: HeaderFields.Line) {
      writeString(line.name)
      writeStaticString(": ")
      writeFieldValue(line.value)
      writeStaticString("\r\n")
    }
  }

  extension IncomingRequest {
    /// True when the client lets its connection be used again (RFC 9112 section 9.3).
    var allowsNext: Bool {
      guard let field = fields.combined("Connection") else { return version != .http10 }
      let options = FieldSyntax.listMembers(field).map(FieldSyntax.lowercased)
      if options.contains("close") { return false }
      return version != .http10 || options.contains("keep-alive")
    }

    /// True when the client waits for a 100 before it sends the content (RFC 9110 section 10.1.1).
    var awaitsContinue: Bool {
      version >= .http11
        && fields.combined("Expect").map {
          FieldSyntax.equalIgnoringCase($0, "100-continue")
        } == true
    }
  }
#endif
