#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// Cuts the bytes of a connection into requests (RFC 9112).
  ///
  /// It refuses all that another recipient might cut differently: a line that ends without CR, a folded field, a chunk
  /// whose length is wrong.
  ///
  /// It reads a head without judging it. ``MessageFraming`` decides how the content ends, and ``begin(_:)`` tells the
  /// decoder.
  struct RequestDecoder {
    enum Part: Equatable {
      case head(IncomingRequest)
      case content(ByteBuffer)
      /// The request has ended; the next one may follow.
      case end
    }

    private enum Stage: Equatable {
      case requestLine
      case fields
      /// The head was returned, and the framing of its content is not known yet.
      case undecided
      case content
    }

    private let limits: HeadLimits
    private var reader: MessageReader
    private var stage = Stage.requestLine
    private var request = IncomingRequest("", "")
    private var emptyLines = 0

    init(_ limits: HeadLimits = HeadLimits()) {
      self.limits = limits
      reader = MessageReader(limits)
    }

    /// True between two requests, before the first byte of the next one. Empty lines do not count.
    var isIdle: Bool { stage == .requestLine && !hasBytes }

    /// True when there are bytes to read.
    var hasBytes: Bool { reader.unread.readableBytes > 0 }

    mutating func append(_ new: ByteBuffer) { reader.append(new) }

    /// The bytes behind a request after which the connection bears no others.
    mutating func takeRest() -> ByteBuffer { reader.takeRest() }

    /// The bytes of the next head; `nil` once some of it was read.
    var unread: ByteBuffer? { stage == .requestLine && emptyLines == 0 ? reader.unread : nil }

    /// Skips a head that is known already and has no content.
    mutating func skip(_ count: Int) { reader.skip(count) }

    /// Sets the framing of the request whose head was returned.
    mutating func begin(_ framing: MessageFraming) throws(RequestRefusal) {
      do {
        switch framing {
        case .none: try reader.beginContent(.length(0))
        case .length(let length): try reader.beginContent(.length(length))
        case .chunked: try reader.beginContent(.chunked)
        }
      } catch {
        throw RequestRefusal(error)
      }
      stage = .content
    }

    /// The next part; `nil` until more bytes arrive.
    ///
    /// Trailers are dropped: merged into the fields they would change decisions that were made (RFC 9110 section
    /// 6.5.1).
    mutating func next() throws(RequestRefusal) -> Part? {
      if stage == .requestLine {
        guard try readRequestLine() else { return nil }
      }
      do {
        switch stage {
        case .requestLine, .undecided: return nil
        case .fields:
          guard let fields = try reader.readFields() else { return nil }
          request.fields = fields
          stage = .undecided
          return .head(request)
        case .content:
          switch try reader.readContent() {
          case nil: return nil
          case .bytes(let bytes): return .content(bytes)
          case .end:
            (stage, emptyLines) = (.requestLine, 0)
            return .end
          }
        }
      } catch {
        throw RequestRefusal(error)
      }
    }

    private mutating func readRequestLine() throws(RequestRefusal) -> Bool {
      let refusal = RequestRefusal(414, "the request line is too long")
      while let line = try reader.line(
        limit: limits.requestLine, refusal, endless: RequestRefusal(.lineEnd))
      {
        guard line.isEmpty else {
          try read(line)
          return true
        }
        // RFC 9112 section 2.2: some clients send an empty line behind the content of the previous request.
        emptyLines += 1
        guard emptyLines < 3 else { throw .malformed("there is no request line") }
      }
      return false
    }

    private mutating func read(_ line: ByteBufferView) throws(RequestRefusal) {
      let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
        throw .malformed("the request line is not a method, a target and a version")
      }
      // Recipients behind must read each byte the same way: the line is forwarded as it came (RFC 9110 section 7.7).
      guard line.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
        throw .malformed(
          "the request line holds bytes that are not visible ASCII; send them percent-encoded")
      }
      request = IncomingRequest(
        String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self),
        version: try Self.version(String(decoding: words[2], as: UTF8.self)))
      reader.beginFields(behind: line.count + 2)
      stage = .fields
    }

    private static func version(_ text: String) throws(RequestRefusal)
      -> IncomingRequest.Version
    {
      switch text {
      case "HTTP/1.1": return .http11
      case "HTTP/1.0": return .http10
      default:
        let digits = text.utf8.dropFirst(5)
        let isVersion =
          text.hasPrefix("HTTP/") && digits.count == 3
          && digits.first.map(FieldSyntax.isDigit) == true
          && digits.dropFirst().first == UInt8(ascii: ".")
          && digits.last.map(FieldSyntax.isDigit) == true
        // RFC 9110 section 2.5: a higher minor version counts as the highest one that is implemented.
        if isVersion, text.hasPrefix("HTTP/1.") { return .http11 }
        throw isVersion
          ? RequestRefusal(505, "HTTP/1.0 and HTTP/1.1 are the versions understood")
          : .malformed("the version is not one of HTTP")
      }
    }
  }

  extension RequestRefusal {
    fileprivate init(_ fault: MessageReader.Fault) {
      self =
        switch fault {
        case .lineEnd: .malformed("a line ends without a carriage return")
        case .folded: .malformed("a field is folded, or stands before no name")
        case .noColon: .malformed("a field has no colon")
        case .fieldName: .malformed("a field has no proper name")
        case .fieldValue: .malformed("a field holds a control character")
        case .tooManyFields:
          RequestRefusal(431, "the fields of the request are too long, or too many")
        case .chunkSize: .malformed("a chunk begins with no proper size")
        case .chunkLength: .malformed("a chunk is longer than it says")
        case .contentTooLarge: RequestRefusal(413, "the content is too large")
        case .incomplete: .malformed("the request is incomplete")
        }
    }
  }
#endif
