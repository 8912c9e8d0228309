#if HTTP
  internal import FreshStore
  internal import NIOCore
  internal import NIOHTTP1
  internal import Strategies

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
#endif
