internal import FreshStore
internal import Strategies

/// A response as the transport delivers it: the head, the wanted part of the body, and the arrival
/// of the head.
struct HTTPAnswer: Hashable {
  let status: Int
  let fields: HeaderFields
  let body: [UInt8]
  /// The arrival of the head. Its wall clock is that of the answer's end, which readers of the
  /// fields here use: the clock may have been set while the body came.
  let arrival: ClockReading
  let responseDelay: Duration

  var responseTime: Timestamp { arrival.wall }

  /// How much of the body of an answer is read.
  enum BodyPart {
    /// All of it, within the configured limit, and the time of the whole request.
    case whole
    /// As much as is kept with a refusal (``Refusal/bodyLimit``), within the same time.
    case beginning
    /// As much as a message needs.
    case words

    /// That of an answer whose body is the value, or only words.
    static func valueOrWords(_ status: Int) -> BodyPart {
      HTTPAnswer.bodyIsValue(status) ? .whole : .words
    }
  }

  /// True when the body of a response with that status is the value: the others' bodies are read
  /// only as far as a message needs them.
  static func bodyIsValue(_ status: Int) -> Bool {
    status == 200 || status == 201 || status == 203
  }
}

#if HTTP
  internal import NIOCore
  internal import NIOHTTP1

  /// An answer with its head received, and the wanted part of its body.
  struct AnswerReader {
    private static let prefixBytes = 1024

    private let address: HTTPAddress
    private let limit: Int
    private let part: HTTPAnswer.BodyPart
    private let status: Int
    private let fields: HeaderFields
    /// The coding that is taken off the body; `nil` for a body that is taken as it comes.
    private let isCoded: Bool
    private let clock: any StoreClock
    private let arrival: ClockReading
    private let delay: Duration
    private var body: [UInt8] = []

    /// Throws `tooLarge` for a body that declares too great a length.
    ///
    /// - Parameter part: How much of the body is read, by the status.
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

    /// How much of a body is read that is not wanted whole.
    private var wanted: Int { part == .beginning ? Refusal.bodyLimit : Self.prefixBytes }

    /// True when the body is nothing but words for a message.
    var isWords: Bool { part == .words }

    /// Takes one more part of the body; false when that was enough.
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

    /// The answer as far as it was received. Throws `damagedBody` and `tooLarge` where its coding cannot be taken off.
    func answer() throws(HTTPFetchError) -> HTTPAnswer {
      HTTPAnswer(
        status: status, fields: fields, body: isCoded ? try decodedBody() : body,
        arrival: ClockReading(
          wall: arrival.wall(at: clock.reading()), boot: arrival.boot, sinceBoot: arrival.sinceBoot),
        responseDelay: delay)
    }

    /// The answer after its body broke off: where that is not wanted whole, the status is enough.
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

  /// Ends the wait for the body of an answer without a value: its words only adorn a message, and
  /// must not turn a received status into a time-out.
  struct WordsLimit: Sendable {
    private static let time = Duration.seconds(1)

    private let begins: AsyncStream<Void>.Continuation

    /// Only words follow from now on.
    func begin() { begins.yield() }

    /// Runs a request; once only words follow, it is cancelled when their time is up, and returns
    /// the words received by then.
    static func run(
      _ clock: any StoreClock,
      _ request: @escaping @Sendable (WordsLimit) async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
      let (words, begins) = AsyncStream.makeStream(of: Void.self)
      return try await withThrowingTaskGroup(of: HTTPAnswer?.self) { group in
        group.addTask { try await request(WordsLimit(begins: begins)) }
        group.addTask {
          for await _ in words {
            // Cancelled when the answer is complete.
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
#endif
