#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// Cuts the bytes of a connection into requests (RFC 9112), and refuses whatever another recipient might cut
  /// in another way: a line that ends without CR, a folded field, a chunk that is not as long as it says.
  ///
  /// It reads a head without believing it. How the content ends is decided by ``MessageFraming``, in one place,
  /// and told by ``begin(_:)``.
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
      /// The head was handed out; how its content ends is not known yet.
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

    /// True between two requests, before the first byte of the next one. An empty line is none of it.
    var isIdle: Bool { stage == .requestLine && !hasBytes }

    /// True when bytes wait to be read.
    var hasBytes: Bool { reader.unread.readableBytes > 0 }

    mutating func append(_ new: ByteBuffer) { reader.append(new) }

    /// What came behind a request after which the connection bears no others.
    mutating func takeRest() -> ByteBuffer { reader.takeRest() }

    /// What is here of the next head, of which nothing was read yet; `nil` once something was.
    var unread: ByteBuffer? { stage == .requestLine && emptyLines == 0 ? reader.unread : nil }

    /// Goes behind a head that is known already, and has no content.
    mutating func skip(_ count: Int) { reader.skip(count) }

    /// Tells how the content of the request ends whose head was handed out.
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

    /// The next part; `nil` until more bytes have come.
    ///
    /// Trailers are dropped: merged with the fields they would change what was decided (RFC 9110 section 6.5.1).
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
        // RFC 9112 section 2.2: some clients send one behind the content of the request before.
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
      // No byte may be read in two ways by those behind: what is sent on is what came (RFC 9110 section 7.7).
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
        // RFC 9110 section 2.5: a higher minor version is the highest that is understood.
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
