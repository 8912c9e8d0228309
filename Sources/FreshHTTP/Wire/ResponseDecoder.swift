#if HTTP || Fuzzing
  package import NIOCore

  /// Splits the bytes of a connection to an origin into responses (RFC 9112 sections 4 and 6), as every
  /// client in use does. Empty lines before a response are ignored, and so is white space before a colon and
  /// after the size of a chunk. Bytes that two recipients might split in two ways are refused.
  package struct ResponseDecoder: Sendable {
    package struct Head: Equatable, Sendable {
      package let status: Int
      package let reason: String
      /// True for HTTP/1.1, false for HTTP/1.0.
      let isCurrent: Bool
      package let fields: HeaderFields
      /// True when its content ends with the connection.
      fileprivate(set) var endsWithConnection = false
    }

    package enum Part: Equatable {
      /// 100 and statuses from 102 to 199 are informational: another head follows.
      case head(Head)
      case content(ByteBuffer)
      /// The response has ended, with these trailers.
      case end(HeaderFields)
    }

    private enum Stage: Equatable {
      case statusLine
      case fields
      case content
    }

    /// The limits are above what servers in use send, and far below what would do harm.
    private static let limits: HeadLimits = {
      var limits = HeadLimits()
      (limits.bytes, limits.fields, limits.content) = (256 << 10, 4096, .max)
      limits.chunkExtension = 16 << 10
      return limits
    }()

    private var reader = MessageReader(limits, isLenient: true)
    private var stage = Stage.statusLine
    /// The methods of the requests that were sent and have no final answer yet.
    private var methods: [String] = []
    /// The bytes of line ends before the status line.
    private var lineEnds = 0
    private var hasAnswered = false
    private var statusLine = (status: 0, reason: "", isCurrent: true)

    package init() {}

    /// Notes that a request was sent.
    package mutating func expect(_ method: String) { methods.append(method) }

    package mutating func append(_ new: ByteBuffer) { reader.append(new) }

    /// True when no request waits for a response.
    var isIdle: Bool { methods.isEmpty && stage == .statusLine }

    /// True when bytes came that belong to no response. A few line ends do not count: some servers send them
    /// after content.
    var hasStrayBytes: Bool {
      guard isIdle else { return false }
      let bytes = reader.unread.readableBytesView
      return lineEnds + bytes.count > Self.mostLineEnds || !bytes.allSatisfy(Self.isLineEnd)
    }

    private static let mostLineEnds = 16

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A }

    /// The next part; `nil` until more bytes have arrived.
    package mutating func next() throws(AnswerFault) -> Part? {
      do {
        while true {
          switch stage {
          case .statusLine: guard try readStatusLine() else { return nil }
          case .fields: return try readFields().map { .head($0) }
          case .content:
            switch try reader.readContent() {
            case nil: return nil
            case .bytes(let bytes): return .content(bytes)
            case .end(let trailers): return end(trailers)
            }
          }
        }
      } catch let fault as MessageReader.Fault {
        throw .message(fault)
      } catch let fault as AnswerFault {
        throw fault
      } catch {
        throw .status
      }
    }

    /// The last part, after the end of the connection; `nil` if it ended between two responses.
    package mutating func endOfConnection() throws(AnswerFault) -> Part? {
      do throws(MessageReader.Fault) {
        switch stage {
        case .statusLine:
          guard reader.unread.readableBytes > 0, !methods.isEmpty else { return nil }
          throw .incomplete
        case .fields: throw .incomplete
        case .content:
          try reader.endOfConnection()
          return end([:])
        }
      } catch {
        throw .message(error)
      }
    }

    private mutating func end(_ trailers: HeaderFields) -> Part {
      (stage, lineEnds, hasAnswered) = (.statusLine, 0, true)
      if !methods.isEmpty { methods.removeFirst() }
      return .end(trailers)
    }

    // MARK: The status line

    private mutating func readStatusLine() throws -> Bool {
      guard !methods.isEmpty else { return false }
      let ends = reader.unread.readableBytesView.prefix(while: Self.isLineEnd).count
      reader.skip(ends)
      lineEnds += ends
      // Bytes that begin no response belong to the previous one.
      guard lineEnds <= Self.mostLineEnds,
        "HTTP/".utf8.starts(with: reader.unread.readableBytesView.prefix(5))
      else { throw hasAnswered ? AnswerFault.strayBytes : AnswerFault.noHTTP }
      guard
        let line = try reader.line(
          limit: Self.limits.bytes, AnswerFault.message(.tooManyFields),
          endless: .message(.lineEnd))
      else { return false }
      try read(line)
      reader.beginFields(behind: line.count + 2)
      stage = .fields
      return true
    }

    /// RFC 9112 section 4: the reason may be missing, and so may the space before it.
    private mutating func read(_ line: ByteBufferView) throws(AnswerFault) {
      let version = line.prefix { $0 != UInt8(ascii: " ") }
      let isCurrent = version.elementsEqual("HTTP/1.1".utf8)
      guard isCurrent || version.elementsEqual("HTTP/1.0".utf8) else { throw .version }
      let rest = line.dropFirst(version.count + 1)
      let (digits, behind) = (rest.prefix(3), rest.dropFirst(3))
      let status = digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
      guard digits.count == 3, digits.allSatisfy(FieldSyntax.isDigit), status >= 100,
        behind.isEmpty || behind.first == UInt8(ascii: " "),
        behind.allSatisfy(FieldSyntax.isValueByte), status != 101
      else { throw .status }
      statusLine = (status, FieldText.text(behind.dropFirst()), isCurrent)
    }

    // MARK: The framing

    private mutating func readFields() throws -> Head? {
      guard let fields = try reader.readFields() else { return nil }
      var head = Head(
        status: statusLine.status, reason: statusLine.reason, isCurrent: statusLine.isCurrent,
        fields: fields)
      let framing = try framing(of: head)
      head.endsWithConnection = framing == .connection
      if head.status < 200 {
        (stage, lineEnds) = (.statusLine, 0)
      } else {
        try reader.beginContent(framing)
        stage = .content
      }
      return head
    }

    /// RFC 9112 section 6.3.
    private func framing(of head: Head) throws(AnswerFault) -> MessageReader.Framing {
      let (lengths, codings) = (
        head.fields.values("Content-Length"), head.fields.values("Transfer-Encoding")
      )
      guard lengths.count < 2 else { throw .repeatedLength }
      if !codings.isEmpty {
        // A coding is faulty in HTTP/1.0 (section 6.1). Content in a coding other than `chunked` would be
        // passed on still encoded.
        guard head.isCurrent, codings.count == 1,
          FieldSyntax.equalIgnoringCase(codings[0], "chunked")
        else { throw .transferCoding }
        guard lengths.isEmpty else { throw .length }
      }
      let length = try lengths.first.map { (text) throws(AnswerFault) -> Int64 in
        guard !text.isEmpty, text.utf8.allSatisfy(FieldSyntax.isDigit), let length = Int64(text)
        else { throw .length }
        return length
      }
      let isEmpty =
        methods.first == "HEAD" || [204, 304].contains(head.status) || head.status < 200
      if isEmpty { return .length(0) }
      if !codings.isEmpty { return .chunked }
      return length.map { .length($0) } ?? .connection
    }
  }

  /// The fault that makes a response unreadable for every recipient.
  package enum AnswerFault: Error, Hashable {
    case noHTTP
    case version
    case status
    case transferCoding
    case repeatedLength
    case length
    case message(MessageReader.Fault)
    /// Content or an end without a response, or a head within one.
    case order
    /// Bytes after the previous response, on a connection that was used again.
    case strayBytes
    /// The same, noticed before anything of the request was sent.
    case unsent

    /// The fault in words for people. They quote nothing of the response.
    var words: String {
      switch self {
      case .noHTTP: "it does not begin with HTTP/"
      case .version: "it begins with no version of HTTP/1"
      case .status: "its status is none, or not one that ends this request"
      case .transferCoding: "its Transfer-Encoding is not chunked alone, or it is HTTP/1.0"
      case .repeatedLength: "it has more than one Content-Length"
      case .length: "its Content-Length is no number, or stands beside Transfer-Encoding"
      case .order: "its parts come in an order that no answer has"
      case .strayBytes, .unsent: "it stands behind bytes that belong to no answer"
      case .message(.lineEnd): "a line does not end with CR LF"
      case .message(.folded), .message(.noColon), .message(.fieldName), .message(.fieldValue):
        "the name or the value of a field is malformed, as by a second line"
      case .message(.tooManyFields): "its head is too long"
      case .message(.chunkSize): "the size of a chunk is no number"
      case .message(.chunkLength): "a chunk is longer than it says"
      case .message(.contentTooLarge): "it is longer than anything can be"
      case .message(.incomplete): "it ends before it is complete"
      }
    }
  }
#endif
