#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// An answer as bytes of HTTP/1, part by part.
  struct AnswerEncoder {
    /// The bytes of a part.
    struct EncodedPart {
      var buffers: [ByteBuffer]
      /// The bytes in front of the content, and those of the content.
      var lead = 0
      var length = 0

      /// - Parameter count: The bytes that the system took.
      func taken(_ count: Int) -> AnswerPart.Delivery {
        AnswerPart.Delivery(
          content: min(max(0, count - lead), length), isBegun: count > 0,
          isWhole: count == buffers.reduce(0) { $0 + $1.readableBytes })
      }
    }

    /// True when the connection goes on behind it; known once the head is written.
    private(set) var keepsConnection = false

    private let version: IncomingRequest.Version
    private var mayKeepConnection: Bool
    private var framing = AnswerHead.Framing.none

    init(to version: IncomingRequest.Version, keepsConnection: Bool) {
      (self.version, mayKeepConnection) = (version, keepsConnection)
    }

    /// The connection ends behind the answer, whose head says so where it is yet to be written.
    mutating func endConnection() { mayKeepConnection = false }

    /// True for an answer whose end is that of the connection, and is to be no other.
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

    /// An informational answer; `nil` for a client that knows none.
    func interim(_ status: Int, _ fields: HeaderFields) -> ByteBuffer? {
      guard version == .http11 else { return nil }
      var buffer = ByteBuffer()
      AnswerHead.writeInterim(status, fields, into: &buffer)
      return buffer
    }
  }

  /// An answer as bytes: one buffer, or, where the content is large, its head and the content as it lies in
  /// memory.
  struct RenderedAnswer: Sendable {
    let status: Int
    let buffers: [ByteBuffer]
    let keepsConnection: Bool
    /// The bytes of the content.
    let length: Int

    /// All bytes.
    var size: Int { buffers.reduce(0) { $0 + $1.readableBytes } }

    var encoded: AnswerEncoder.EncodedPart {
      AnswerEncoder.EncodedPart(buffers: buffers, lead: size - length, length: length)
    }

    /// Renders an answer from a copy, or one of the gateway's own.
    ///
    /// - Parameters:
    ///   - content: The bytes of the copy; `nil` for an answer without one.
    ///   - request: The method decides whether content is sent, and the version how.
    init(
      _ plan: AnswerPlan, _ content: ContentBytes?, to version: IncomingRequest.Version,
      keepsConnection: Bool, date: @autoclosure () -> String
    ) {
      let parts = Self.parts(plan, content)
      // Its head may have been rendered for somebody else.
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
        // Without a date of its own it has that of this moment.
        if let kept, head.keepsConnection, plan.fields.first("Date") != nil {
          kept.bytes = Array(first.readableBytesView)
        }
      }
      // Content of stored answers always has a length, and needs no chunks.
      guard isSmall else {
        buffers = [first] + sent
        return
      }
      for part in sent { first.writeImmutableBuffer(part) }
      buffers = [first]
    }

    /// The parts of the content; `nil` when bytes are missing that the plan counts on.
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

    /// More is not worth the copy.
    private static let smallContent = 16 << 10
  }
#endif
