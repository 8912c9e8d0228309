#if Gateway
  internal import FreshHTTP
  internal import NIOCore

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
