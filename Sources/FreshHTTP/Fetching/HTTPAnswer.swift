internal import FreshStore
internal import Strategies

/// A response from the transport: the head, the wanted part of the body, and the arrival of the head.
struct HTTPAnswer: Hashable {
  let status: Int
  let fields: HeaderFields
  let body: [UInt8]
  /// The arrival of the head. Its wall clock is the one at the end of the response, which readers of the
  /// fields use: the clock may have been set while the body came.
  let arrival: ClockReading
  let responseDelay: Duration

  var responseTime: Timestamp { arrival.wall }

  /// The part of a response's body that is read.
  enum BodyPart {
    /// All of it, within the configured limit and the time of the whole request.
    case whole
    /// The beginning that is kept with a refusal (``Refusal/bodyLimit``), within the same time.
    case beginning
    /// The beginning that a message quotes.
    case words

    /// The part for a response whose body is the value, or only words.
    static func valueOrWords(_ status: Int) -> BodyPart {
      HTTPAnswer.bodyIsValue(status) ? .whole : .words
    }
  }

  /// True when the body of a response with that status is the value. Other bodies are read only as far as a
  /// message quotes them.
  static func bodyIsValue(_ status: Int) -> Bool {
    status == 200 || status == 201 || status == 203
  }
}

/// The content codings that are decoded: gzip, under both of its names, and zlib's `deflate` (RFC 9110
/// section 8.4.1).
enum ContentCoding {
  /// The names in `Content-Encoding` that are understood, in lower case.
  static let known: Set = ["gzip", "x-gzip", "deflate"]
}

#if HTTP
  internal import CZlib
  internal import NIOCore
  internal import NIOHTTP1

  /// Reads a response: its head, and the wanted part of its body.
  struct AnswerReader {
    private static let prefixBytes = 1024

    private let address: HTTPAddress
    private let limit: Int
    private let part: HTTPAnswer.BodyPart
    private let status: Int
    private let fields: HeaderFields
    /// True when the body is decoded; false when it is used as it comes.
    private let isCoded: Bool
    private let clock: any StoreClock
    private let arrival: ClockReading
    private let delay: Duration
    private var body: [UInt8] = []

    /// Throws `tooLarge` for a body that states too great a length.
    ///
    /// - Parameter part: The part of the body that is read, by the status.
    init(
      _ status: HTTPResponseStatus, _ headers: HTTPHeaders, at address: HTTPAddress,
      since start: ClockReading, _ configuration: HTTPConfiguration,
      part: (_ status: Int) -> HTTPAnswer.BodyPart
    ) throws(HTTPFetchError) {
      self.status = Int(status.code)
      fields = HeaderFields(headers)
      self.address = address
      limit = configuration.maximumBodyBytes
      self.part = part(self.status)
      clock = configuration.clock
      arrival = clock.reading()
      delay = .milliseconds(arrival.sinceBoot - start.sinceBoot)
      isCoded =
        fields.combined("Content-Encoding").map {
          ContentCoding.known.contains(FieldSyntax.lowercased($0))
        } ?? false
      let stated = fields.first("Content-Length").flatMap { Int($0) }
      if self.part == .whole, !isCoded, let stated, stated > limit {
        throw .tooLarge(address.redacted, limit: limit)
      }
    }

    /// The limit for a body that is not wanted whole, in bytes.
    private var wanted: Int { part == .beginning ? Refusal.bodyLimit : Self.prefixBytes }

    /// True when the body only serves as words for a message.
    var isWords: Bool { part == .words }

    /// Adds a part of the body; false when no more is needed.
    mutating func take(_ bytes: ByteBuffer) throws(HTTPFetchError) -> Bool {
      guard part == .whole else {
        body.append(contentsOf: bytes.readableBytesView.prefix(wanted - body.count))
        return body.count < wanted
      }
      guard body.count + bytes.readableBytes <= limit else {
        throw .tooLarge(address.redacted, limit: limit)
      }
      body.append(contentsOf: bytes.readableBytesView)
      return true
    }

    /// The response as far as it was received. Throws `damagedBody` and `tooLarge` when it cannot be decoded.
    func answer() throws(HTTPFetchError) -> HTTPAnswer {
      HTTPAnswer(
        status: status, fields: fields, body: isCoded ? try decodedBody() : body,
        arrival: ClockReading(
          wall: arrival.wall(at: clock.reading()), boot: arrival.boot, sinceBoot: arrival.sinceBoot),
        responseDelay: delay)
    }

    /// The response after its body broke off. If the body is not wanted whole, the status is enough.
    func answer(after error: any Error) throws -> HTTPAnswer {
      guard part != .whole else { throw error }
      return try answer()
    }

    private func decodedBody() throws(HTTPFetchError) -> [UInt8] {
      do {
        return try ContentCoding.decoded(
          body, limit: part == .whole ? limit : wanted, isPrefix: part != .whole)
      } catch {
        switch error {
        case .cancelled: throw .cancelled(address.redacted)
        case .damaged: throw .damagedBody(address.redacted)
        case .tooLarge: throw .tooLarge(address.redacted, limit: limit)
        }
      }
    }
  }

  /// Limits the wait for the body of a response without a value. Its words only serve a message, and must not
  /// turn a received status into a time-out.
  struct WordsLimit: Sendable {
    private static let time = Duration.seconds(1)

    private let begins: AsyncStream<Void>.Continuation

    /// Notes that only words follow.
    func begin() { begins.yield() }

    /// Runs a request. Once only words follow, it is cancelled at the end of their time, and returns the
    /// words received by then.
    static func run(
      _ clock: any StoreClock,
      _ request: @escaping @Sendable (WordsLimit) async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
      let (words, begins) = AsyncStream.makeStream(of: Void.self)
      return try await withThrowingTaskGroup(of: HTTPAnswer?.self) { group in
        group.addTask { try await request(WordsLimit(begins: begins)) }
        group.addTask {
          for await _ in words {
            // The sleep is cancelled when the response is complete.
            try? await clock.sleep(for: time)
            break
          }
          return nil
        }
        defer { group.cancelAll() }
        while let answer = try await group.next() {
          if let answer { return answer }
          group.cancelAll()
        }
        throw CancellationError()
      }
    }
  }

  extension ContentCoding {
    enum Failure: Error {
      case damaged
      /// The decoded content is longer than the limit.
      case tooLarge
      case cancelled
    }

    /// The decoded content. Gzip may come in several members, one after the other (RFC 1952 section 2.2).
    ///
    /// - Parameter isPrefix: True when a beginning is enough: up to the limit, and as far as the content can
    ///   be decoded.
    static func decoded(
      _ bytes: [UInt8], limit: Int, isPrefix: Bool
    ) throws(Failure) -> [UInt8] {
      guard !bytes.isEmpty else { return [] }
      // zlib keeps the address of this value, so it must not move.
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      defer { unsafe stream.deallocate() }
      // The window is the largest, 32 KiB. Adding 32 lets zlib tell gzip and zlib apart by their first bytes.
      guard unsafe freshstore_inflate_init(stream, 15 + 32) == Z_OK else { throw .damaged }
      defer { unsafe _ = inflateEnd(stream) }
      var (decoded, room) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
      var (code, read, written) = (Z_OK, 0, 0)
      while true {
        guard !Task.isCancelled else { throw .cancelled }
        let part = bytes[read...].prefix(1 << 20)
        unsafe part.withUnsafeBufferPointer { input in
          unsafe room.withUnsafeMutableBufferPointer { output in
            // zlib reads through this pointer, and writes nothing there.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = uInt(input.count)
            unsafe stream.pointee.next_out = output.baseAddress
            unsafe stream.pointee.avail_out = uInt(output.count)
            unsafe code = CZlib.inflate(stream, Z_NO_FLUSH)
            unsafe written = output.count - Int(stream.pointee.avail_out)
            unsafe read += input.count - Int(stream.pointee.avail_in)
          }
        }
        decoded += room[..<written]
        guard decoded.count <= limit else {
          guard isPrefix else { throw .tooLarge }
          return Array(decoded.prefix(limit))
        }
        switch code {
        case Z_STREAM_END:
          // Some servers pad the content with zeros.
          if read == bytes.count || bytes[read...].allSatisfy({ $0 == 0 }) { return decoded }
          guard unsafe inflateReset(stream) == Z_OK else { throw .damaged }
        case Z_OK where read < bytes.count || written == room.count: continue
        default:
          guard isPrefix else { throw .damaged }
          return decoded
        }
      }
    }
  }
#endif
