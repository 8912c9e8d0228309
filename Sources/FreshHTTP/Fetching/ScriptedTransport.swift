#if HTTP
  internal import FreshStore
  internal import NIOCore
  internal import NIOHTTP1
  internal import Synchronization

  /// Has a closure answer requests, in place of the network.
  final class ScriptedTransport: HTTPAnswering {
    private let configuration: HTTPConfiguration
    private let respond: @Sendable (HTTPSource.Request) async throws -> HTTPSource.Response
    private let isClosed = Mutex(false)

    init(
      _ configuration: HTTPConfiguration,
      _ respond: @escaping @Sendable (HTTPSource.Request) async throws -> HTTPSource.Response
    ) {
      self.configuration = configuration
      self.respond = respond
    }

    var hasEnded: Bool { isClosed.withLock { $0 } }

    func close() async { isClosed.withLock { $0 = true } }

    func answer(
      to fields: HeaderFields, method: String, body: [UInt8]?, at address: HTTPAddress,
      part: @escaping @Sendable (_ status: Int) -> HTTPAnswer.BodyPart
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      guard !hasEnded else { throw HTTPTransport.closed(address) }
      guard !Task.isCancelled else { throw .cancelled(address.redacted) }
      let start = configuration.clock.reading()
      let request = HTTPSource.Request(
        method: method, url: address.text, headers: fields, body: body ?? [])
      do {
        let respond = respond
        guard let result = await ForeignWork.result(of: { try await respond(request) }) else {
          throw HTTPFetchError.cancelled(address.redacted)
        }
        let response = try result.get()
        guard !hasEnded else { throw HTTPTransport.closed(address) }
        guard (200...599).contains(response.status) else {
          throw HTTPFetchError.malformedAnswer(address.redacted)
        }
        // Read as an answer that came over a network is.
        var reader = try AnswerReader(
          HTTPResponseStatus(statusCode: response.status),
          HTTPHeaders(response.headers.lines.map { ($0.name, $0.value) }), at: address,
          since: start, configuration, part: part)
        _ = try reader.take(ByteBuffer(bytes: response.body))
        return try reader.answer()
      } catch let error as HTTPFetchError {
        throw error
      } catch {
        guard !Task.isCancelled else { throw .cancelled(address.redacted) }
        throw HTTPTransport.failure(error, at: address, configuration)
      }
    }
  }
#endif
