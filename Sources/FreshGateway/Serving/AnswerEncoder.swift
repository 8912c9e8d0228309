#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// Encodes an answer for HTTP/1, part by part.
  struct AnswerEncoder {
    /// The bytes of one part.
    struct EncodedPart {
      var buffers: [ByteBuffer]
      /// The number of bytes before the content, and of the content.
      var lead = 0
      var length = 0

      /// Returns how much of the part was delivered.
      ///
      /// - Parameter count: The bytes that the system took.
      func taken(_ count: Int) -> AnswerPart.Delivery {
        AnswerPart.Delivery(
          content: min(max(0, count - lead), length), isBegun: count > 0,
          isWhole: count == buffers.reduce(0) { $0 + $1.readableBytes })
      }
    }

    /// True when the connection continues after the answer; known when the header section is written.
    private(set) var keepsConnection = false

    private let version: IncomingRequest.Version
    private var mayKeepConnection: Bool
    private var framing = AnswerHead.Framing.none

    init(to version: IncomingRequest.Version, keepsConnection: Bool) {
      (self.version, mayKeepConnection) = (version, keepsConnection)
    }

    /// Ends the connection after the answer. The header section says so unless it is already written.
    mutating func endConnection() { mayKeepConnection = false }

    /// True when only the end of the connection marks the end of the answer.
    var endsWithConnection: Bool { framing == .close }

    mutating func encode(_ part: AnswerPart, date: @autoclosure () -> String) -> EncodedPart {
      switch part {
      case .whole(let plan, let content):
        let answer = RenderedAnswer(
          plan, content, to: version, keepsConnection: mayKeepConnection, date: date())
        keepsConnection = answer.keepsConnection
        return answer.encoded
      case .head(let status, let fields, let hasContent):
        let head = AnswerHead(
          status, fields, hasContent: hasContent, to: version, keepsConnection: mayKeepConnection)
        (framing, keepsConnection) = (head.framing, head.keepsConnection)
        var buffer = ByteBuffer()
        head.write(into: &buffer, to: version, date: date())
        return EncodedPart(buffers: [buffer], lead: buffer.readableBytes)
      case .opening(let status, let fields, let bytes, let isEnd):
        let head = encode(.head(status, fields, hasContent: true), date: date())
        let content = encode(.content(bytes), date: date())
        let end = isEnd ? encode(.end(trailers: [:]), date: date()).buffers : []
        return EncodedPart(
          buffers: head.buffers + content.buffers + end, lead: head.lead + content.lead,
          length: content.length)
      case .content(let bytes):
        guard framing == .chunked else {
          return EncodedPart(buffers: [bytes], length: bytes.readableBytes)
        }
        let start = ByteBuffer(string: "\(String(bytes.readableBytes, radix: 16))\r\n")
        return EncodedPart(
          buffers: [start, bytes, ByteBuffer(string: "\r\n")], lead: start.readableBytes,
          length: bytes.readableBytes)
      case .end(let trailers):
        guard framing == .chunked else { return EncodedPart(buffers: []) }
        var end = ByteBuffer()
        AnswerHead.writeLastChunk(trailers, into: &end)
        return EncodedPart(buffers: [end], lead: end.readableBytes)
      }
    }

    /// Encodes an informational answer; `nil` for a client that knows none.
    func interim(_ status: Int, _ fields: HeaderFields) -> ByteBuffer? {
      guard version == .http11 else { return nil }
      var buffer = ByteBuffer()
      AnswerHead.writeInterim(status, fields, into: &buffer)
      return buffer
    }
  }

  /// An answer as bytes: one buffer, or for a large body the header section and the body as it lies in memory.
  struct RenderedAnswer: Sendable {
    let status: Int
    let buffers: [ByteBuffer]
    let keepsConnection: Bool
    /// The number of body bytes.
    let length: Int

    /// The number of all bytes.
    var size: Int { buffers.reduce(0) { $0 + $1.readableBytes } }

    var encoded: AnswerEncoder.EncodedPart {
      AnswerEncoder.EncodedPart(buffers: buffers, lead: size - length, length: length)
    }

    /// Renders an answer from a copy, or the gateway's own answer.
    ///
    /// - Parameters:
    ///   - content: The bytes of the copy; `nil` for an answer without one.
    ///   - version: The client's version of HTTP.
    init(
      _ plan: AnswerPlan, _ content: ContentBytes?, to version: IncomingRequest.Version,
      keepsConnection: Bool, date: @autoclosure () -> String
    ) {
      let parts = Self.parts(plan, content)
      // An earlier answer may have rendered the header section already.
      let kept = version == .http11 && keepsConnection && parts != nil ? plan.head : nil
      let sent = parts ?? []
      length = sent.reduce(0) { $0 + $1.readableBytes }
      status = plan.status
      let isSmall = length <= Self.smallContent
      var first = ByteBuffer()
      if let bytes = kept?.bytes {
        first.reserveCapacity(bytes.count + (isSmall ? length : 0))
        first.writeBytes(bytes)
        self.keepsConnection = true
      } else {
        let hasContent = if case .none = plan.content { false } else { true }
        let head = AnswerHead(
          plan.status, plan.fields, hasContent: hasContent, to: version,
          keepsConnection: keepsConnection && parts != nil)
        first.reserveCapacity(512 + plan.fields.lines.count * 48 + (isSmall ? length : 0))
        head.write(into: &first, to: version, date: date())
        self.keepsConnection = head.keepsConnection
        // Without its own `Date` the answer carries the current one, so its bytes cannot be used again.
        if let kept, head.keepsConnection, plan.fields.first("Date") != nil {
          kept.bytes = Array(first.readableBytesView)
        }
      }
      // A stored body always has a known length, and needs no chunks.
      guard isSmall else {
        buffers = [first] + sent
        return
      }
      for part in sent { first.writeImmutableBuffer(part) }
      buffers = [first]
    }

    /// Returns the parts of the body; `nil` when bytes are missing that the plan needs.
    static func parts(_ plan: AnswerPlan, _ content: ContentBytes?) -> [ByteBuffer]? {
      switch plan.content {
      case .none: return []
      case .text(let text): return [ByteBuffer(string: text)]
      case .whole: return content.flatMap { $0.stored == nil ? [$0.bytes] : nil }
      case .range(let range): return content?.slice(range).map { [$0] }
      case .ranges(let ranges):
        var parts: [ByteBuffer] = []
        for part in ranges.parts {
          guard let bytes = content?.slice(part.range) else { return nil }
          parts += [ByteBuffer(bytes: part.head), bytes]
        }
        return parts + [ByteBuffer(bytes: ranges.end)]
      }
    }

    /// Copying a larger body costs more than a further write.
    private static let smallContent = 16 << 10
  }
#endif
