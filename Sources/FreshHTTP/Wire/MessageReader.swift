/// The limits on what a peer may send before its message is known. Behind each limit stands the status with
/// which a gateway refuses more.
package struct HeadLimits: Sendable, Hashable {
  /// The most bytes of the request line: 414.
  package var requestLine = 8 << 10
  /// The most bytes of the request line and the fields together, and of trailers: 431.
  package var bytes = 64 << 10
  /// The most field lines, and the most trailers: 431.
  package var fields = 128
  /// The most bytes of content: 413.
  package var content: Int64 = 1 << 30
  /// The most bytes of the extensions of one chunk: 400. The extensions are ignored.
  package var chunkExtension = 256

  /// The defaults.
  package init() {}
}

#if HTTP || Fuzzing
  package import NIOCore

  /// Splits the bytes of one connection into lines, fields and content (RFC 9112 sections 2, 5, 6 and 7).
  ///
  /// A request is refused where another recipient might split it in another way. A response is read as every
  /// client reads it, with some deviations of servers in use.
  package struct MessageReader: Sendable {
    /// The reason why the bytes cannot be split.
    package enum Fault: Error, Hashable {
      /// A line ends without a carriage return.
      case lineEnd
      /// A field is folded, or stands before no name.
      case folded
      case noColon
      case fieldName
      case fieldValue
      /// The header section is too long, or has too many lines.
      case tooManyFields
      case chunkSize
      /// A chunk is longer than it says.
      case chunkLength
      case contentTooLarge
      /// The connection ended within the message.
      case incomplete
    }

    /// The end of the content of a message.
    package enum Framing: Hashable, Sendable {
      case length(Int64)
      case chunked
      /// At the end of the connection: only for a response.
      case connection
    }

    package enum Part: Equatable {
      case bytes(ByteBuffer)
      /// The message has ended, with these trailers.
      case end(HeaderFields)
    }

    private enum Stage: Equatable {
      case content(left: Int64)
      case untilEnd
      case chunkSize
      case chunk(left: Int64)
      case chunkEnd
      case trailers
    }

    private let limits: HeadLimits
    private let isLenient: Bool
    private var bytes = ByteBuffer()
    /// The number of bytes in which no line end was found.
    private var scanned = 0
    private var stage = Stage.content(left: 0)
    /// The number of bytes of the header section, or of the trailers, that were read.
    private var sectionSize = 0
    private var fieldCount = 0
    private var fields = HeaderFields()
    private var contentSize: Int64 = 0

    /// - Parameter isLenient: True for responses. White space before the colon of a field and after the size
    ///   of a chunk is ignored (RFC 9112 sections 5.1 and 7.1.1).
    package init(_ limits: HeadLimits, isLenient: Bool = false) {
      self.limits = limits
      self.isLenient = isLenient
    }

    /// The bytes that were not read.
    package var unread: ByteBuffer { bytes }

    package mutating func append(_ new: ByteBuffer) {
      var new = new
      if bytes.readableBytes == 0 {
        bytes = new
      } else {
        bytes.discardReadBytes()
        bytes.writeBuffer(&new)
      }
    }

    /// Removes and returns all bytes that were not read.
    package mutating func takeRest() -> ByteBuffer {
      defer { (bytes, scanned) = (ByteBuffer(), 0) }
      return bytes
    }

    /// Skips bytes that are known already.
    package mutating func skip(_ count: Int) {
      guard count > 0 else { return }
      bytes.moveReaderIndex(forwardBy: count)
      scanned = 0
    }

    /// The next line without its end; `nil` until the end has arrived.
    package mutating func line<Refusal: Error>(
      limit: Int, _ refusal: Refusal, endless: Refusal
    ) throws(Refusal) -> ByteBufferView? {
      let view = bytes.readableBytesView
      let place = view[(view.startIndex + scanned)...].firstIndex(of: UInt8(ascii: "\n"))
      guard let place else {
        scanned = view.count
        guard view.count <= limit + 2 else { throw refusal }
        return nil
      }
      let length = place - view.startIndex
      guard length <= limit + 1 else { throw refusal }
      guard length > 0, view[place - 1] == UInt8(ascii: "\r") else { throw endless }
      scanned = 0
      bytes.moveReaderIndex(forwardBy: length + 1)
      return view[..<(place - 1)]
    }

    // MARK: Fields

    /// Begins a header section after a line of that many bytes.
    package mutating func beginFields(behind count: Int) {
      (sectionSize, fieldCount, fields) = (count, 0, HeaderFields())
    }

    /// The fields of the section; `nil` until the empty line after them has arrived.
    package mutating func readFields() throws(Fault) -> HeaderFields? {
      while let line = try line(
        limit: limits.bytes - sectionSize, Fault.tooManyFields, endless: .lineEnd)
      {
        guard !line.isEmpty else { return fields }
        sectionSize += line.count + 2
        fieldCount += 1
        guard fieldCount <= limits.fields else { throw .tooManyFields }
        let (name, value) = try field(line)
        fields.append(name, value)
      }
      return nil
    }

    /// RFC 9112 section 5.
    private func field(_ line: ByteBufferView) throws(Fault) -> (String, String) {
      guard let first = line.first, !FieldSyntax.isWhitespace(first) else { throw .folded }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
      var name = line[..<colon]
      if isLenient { while name.last.map(FieldSyntax.isWhitespace) == true { name.removeLast() } }
      let value = line[(colon + 1)...].drop(while: FieldSyntax.isWhitespace)
      guard !name.isEmpty, name.allSatisfy(FieldSyntax.isTokenByte) else { throw .fieldName }
      guard value.allSatisfy(FieldSyntax.isValueByte) else { throw .fieldValue }
      return (String(decoding: name, as: UTF8.self), FieldText.text(value))
    }

    // MARK: Content

    /// Begins the content of the message whose fields were read.
    package mutating func beginContent(_ framing: Framing) throws(Fault) {
      contentSize = 0
      switch framing {
      case .length(let length):
        guard length <= limits.content else { throw .contentTooLarge }
        stage = .content(left: length)
      case .chunked: stage = .chunkSize
      case .connection: stage = .untilEnd
      }
    }

    /// The next part of the content; `nil` until more bytes have arrived.
    package mutating func readContent() throws(Fault) -> Part? {
      while true {
        switch stage {
        case .content(left: 0): return .end([:])
        case .content(let left):
          guard let part = read(atMost: left) else { return nil }
          stage = .content(left: left - Int64(part.readableBytes))
          return .bytes(part)
        case .untilEnd: return read(atMost: .max).map { .bytes($0) }
        case .chunkSize: guard try readChunkSize() else { return nil }
        case .chunk(let left):
          guard let part = read(atMost: left) else { return nil }
          let rest = left - Int64(part.readableBytes)
          stage = rest == 0 ? .chunkEnd : .chunk(left: rest)
          return .bytes(part)
        case .chunkEnd:
          guard let line = try line(limit: 0, Fault.chunkLength, endless: .chunkLength) else {
            return nil
          }
          guard line.isEmpty else { throw .chunkLength }
          stage = .chunkSize
        case .trailers: return try readFields().map { .end($0) }
        }
      }
    }

    /// Ends the message whose content is read, at the end of the connection. Throws `incomplete` where
    /// content is missing.
    package func endOfConnection() throws(Fault) {
      guard stage == .untilEnd else { throw .incomplete }
    }

    private mutating func read(atMost limit: Int64) -> ByteBuffer? {
      let count = min(bytes.readableBytes, Int(min(limit, Int64(Int.max))))
      scanned = 0
      return count == 0 ? nil : bytes.readSlice(length: count)
    }

    /// RFC 9112 section 7.1.
    private mutating func readChunkSize() throws(Fault) -> Bool {
      guard
        let line = try line(
          limit: 16 + limits.chunkExtension, Fault.chunkSize, endless: .lineEnd)
      else { return false }
      let digits = line.prefix { FieldSyntax.hexadecimal($0) != nil }
      var rest = line.dropFirst(digits.count)
      if isLenient { rest = rest.drop(while: FieldSyntax.isWhitespace) }
      guard (1...15).contains(digits.count), rest.isEmpty || rest.first == UInt8(ascii: ";"),
        rest.allSatisfy(FieldSyntax.isValueByte)
      else { throw .chunkSize }
      let size = digits.reduce(Int64(0)) { $0 << 4 | Int64(FieldSyntax.hexadecimal($1) ?? 0) }
      contentSize = size > limits.content ? .max : contentSize + size
      guard contentSize <= limits.content else { throw .contentTooLarge }
      if size == 0 {
        beginFields(behind: 0)
        stage = .trailers
      } else {
        stage = .chunk(left: size)
      }
      return true
    }
  }
#endif
