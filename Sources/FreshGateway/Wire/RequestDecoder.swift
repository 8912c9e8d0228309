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
      case content(left: Int64)
      case chunkSize
      case chunk(left: Int64)
      case chunkEnd
      case trailers
    }

    private let limits: HeadLimits
    private var bytes = ByteBuffer()
    /// The bytes in which there is no end of a line.
    private var scanned = 0
    private var stage = Stage.requestLine
    private var request = IncomingRequest("", "")
    /// What was read of the head, or of the trailers.
    private var headSize = 0
    private var fieldCount = 0
    private var emptyLines = 0
    private var contentSize: Int64 = 0

    init(_ limits: HeadLimits = HeadLimits()) { self.limits = limits }

    /// True between two requests, before the first byte of the next one. An empty line is none of it.
    var isIdle: Bool { stage == .requestLine && bytes.readableBytes == 0 }

    /// True until the head of the next request is there.
    var isInHead: Bool { stage == .requestLine || stage == .fields }

    /// True when bytes wait to be read.
    var hasBytes: Bool { bytes.readableBytes > 0 }

    mutating func append(_ new: ByteBuffer) {
      var new = new
      if bytes.readableBytes == 0 {
        bytes = new
      } else {
        bytes.discardReadBytes()
        bytes.writeBuffer(&new)
      }
    }

    /// What came behind a request after which the connection bears no others.
    mutating func takeRest() -> ByteBuffer {
      defer { (bytes, scanned) = (ByteBuffer(), 0) }
      return bytes
    }

    /// What is here of the next head, of which nothing was read yet; `nil` once something was.
    var unread: ByteBuffer? { stage == .requestLine && emptyLines == 0 ? bytes : nil }

    /// Goes behind a head that is known already, and has no content.
    mutating func skip(_ count: Int) {
      bytes.moveReaderIndex(forwardBy: count)
      scanned = 0
    }

    /// Tells how the content of the request ends whose head was handed out.
    mutating func begin(_ framing: MessageFraming) throws(RequestRefusal) {
      contentSize = 0
      switch framing {
      case .none: stage = .content(left: 0)
      case .length(let length):
        guard length <= limits.content else { throw Self.tooLarge }
        stage = .content(left: length)
      case .chunked: stage = .chunkSize
      }
    }

    /// The next part; `nil` until more bytes have come.
    mutating func next() throws(RequestRefusal) -> Part? {
      while true {
        switch stage {
        case .requestLine: guard try readRequestLine() else { return nil }
        case .fields: if let part = try readField() { return part } else { return nil }
        case .undecided: return nil
        case .content(left: 0): return end()
        case .content(let left):
          guard let part = read(atMost: left) else { return nil }
          stage = .content(left: left - Int64(part.readableBytes))
          return .content(part)
        case .chunkSize: guard try readChunkSize() else { return nil }
        case .chunk(let left):
          guard let part = read(atMost: left) else { return nil }
          let rest = left - Int64(part.readableBytes)
          stage = rest == 0 ? .chunkEnd : .chunk(left: rest)
          return .content(part)
        case .chunkEnd:
          guard let line = try line(limit: 0, .malformed("a chunk is longer than it says")) else {
            return nil
          }
          guard line.isEmpty else { throw .malformed("a chunk is longer than it says") }
          stage = .chunkSize
        case .trailers: return try readTrailers() ? end() : nil
        }
      }
    }

    private mutating func end() -> Part {
      stage = .requestLine
      (headSize, fieldCount, emptyLines) = (0, 0, 0)
      return .end
    }

    private mutating func read(atMost limit: Int64) -> ByteBuffer? {
      let count = min(bytes.readableBytes, Int(min(limit, Int64(Int.max))))
      scanned = 0
      return count == 0 ? nil : bytes.readSlice(length: count)
    }

    // MARK: The head

    private mutating func readRequestLine() throws(RequestRefusal) -> Bool {
      let refusal = RequestRefusal(414, "the request line is too long")
      guard let line = try line(limit: limits.requestLine, refusal) else { return false }
      if line.isEmpty {
        // RFC 9112 section 2.2: some clients send one behind the content of the request before.
        emptyLines += 1
        guard emptyLines < 3 else { throw .malformed("there is no request line") }
        return true
      }
      headSize = line.count + 2
      let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
        throw .malformed("the request line is not a method, a target and a version")
      }
      request = IncomingRequest(
        try Self.text(words[0]), PercentEncoding.ascii(bytes: words[1]),
        version: try Self.version(try Self.text(words[2])))
      stage = .fields
      return true
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

    /// Reads the fields that are here; the head once the line behind them is.
    private mutating func readField() throws(RequestRefusal) -> Part? {
      while let line = try countedLine() {
        guard !line.isEmpty else {
          stage = .undecided
          return .head(request)
        }
        let (name, value) = try Self.field(line)
        request.fields.append(name, value)
      }
      return nil
    }

    /// RFC 9112 section 5. That the name is a token, and the value holds no control character, is looked at
    /// with all else that is believed of a request.
    private static func field(_ line: ByteBufferView) throws(RequestRefusal) -> (String, String) {
      guard let first = line.first, !FieldSyntax.isWhitespace(first) else {
        throw .malformed("a field is folded, or stands before no name")
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        throw .malformed("a field has no colon")
      }
      let value = line[(colon + 1)...].drop(while: FieldSyntax.isWhitespace)
      return (try text(line[..<colon]), try text(value))
    }

    private mutating func countedLine() throws(RequestRefusal) -> ByteBufferView? {
      let refusal = RequestRefusal(431, "the fields of the request are too long, or too many")
      guard let line = try line(limit: limits.bytes - headSize, refusal) else { return nil }
      guard !line.isEmpty else { return line }
      headSize += line.count + 2
      fieldCount += 1
      guard fieldCount <= limits.fields else { throw refusal }
      return line
    }

    // MARK: Chunks

    /// RFC 9112 section 7.1.
    private mutating func readChunkSize() throws(RequestRefusal) -> Bool {
      let refusal = RequestRefusal.malformed("a chunk begins with no proper size")
      guard let bytes = try line(limit: 16 + limits.chunkExtension, refusal) else { return false }
      let text = try Self.text(bytes)
      let digits = text.utf8.prefix { Self.hexadecimal($0) != nil }
      let rest = text.utf8.dropFirst(digits.count)
      guard (1...15).contains(digits.count), rest.isEmpty || rest.first == UInt8(ascii: ";"),
        FieldSyntax.isFieldValue(text)
      else { throw refusal }
      let size = digits.reduce(Int64(0)) { $0 << 4 | Int64(Self.hexadecimal($1) ?? 0) }
      contentSize = size > limits.content ? .max : contentSize + size
      guard contentSize <= limits.content else { throw Self.tooLarge }
      if size == 0 {
        (headSize, fieldCount) = (0, 0)
        stage = .trailers
      } else {
        stage = .chunk(left: size)
      }
      return true
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    }

    /// Trailers are dropped: merged with the fields they would change what was decided (RFC 9110 section 6.5.1).
    private mutating func readTrailers() throws(RequestRefusal) -> Bool {
      while let line = try countedLine() {
        if line.isEmpty { return true }
        let (name, value) = try Self.field(line)
        guard FieldSyntax.isToken(name), FieldSyntax.isFieldValue(value) else {
          throw .malformed("a trailer is no field")
        }
      }
      return false
    }

    // MARK: Lines

    /// Text carries nothing but UTF-8, and to replace other bytes would tell the origin something else.
    private static func text(_ bytes: ByteBufferView) throws(RequestRefusal) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .malformed("the head holds bytes that are not UTF-8")
      }
      return text
    }

    /// The next line without its end; `nil` until that is here.
    private mutating func line(limit: Int, _ refusal: RequestRefusal) throws(RequestRefusal)
      -> ByteBufferView?
    {
      let view = bytes.readableBytesView
      let place = view[(view.startIndex + scanned)...].firstIndex(of: UInt8(ascii: "\n"))
      guard let place else {
        scanned = view.count
        guard view.count <= limit + 2 else { throw refusal }
        return nil
      }
      let length = place - view.startIndex
      guard length <= limit + 1 else { throw refusal }
      guard length > 0, view[place - 1] == UInt8(ascii: "\r") else {
        throw .malformed("a line ends without a carriage return")
      }
      scanned = 0
      bytes.moveReaderIndex(forwardBy: length + 1)
      return view[..<(place - 1)]
    }

    private static let tooLarge = RequestRefusal(413, "the content is too large")
  }
#endif
