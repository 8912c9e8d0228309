#if HTTP
  internal import FreshStore
  internal import NIOCore
  internal import NIOHTTP1
  internal import Synchronization

  /// The network, or a closure in its place, that answers single requests.
  protocol HTTPAnswering: AnyObject, Sendable {
    /// True once ``close()`` was called: no request succeeds any more.
    var hasEnded: Bool { get }

    /// Sends one request and returns the response.
    ///
    /// - Parameter part: The part of the body that is read, by the status.
    func answer(
      to fields: HeaderFields, method: String, body: [UInt8]?, at address: HTTPAddress,
      part: @escaping @Sendable (_ status: Int) -> HTTPAnswer.BodyPart
    ) async throws(HTTPFetchError) -> HTTPAnswer

    /// Ends the requests in flight, and answers no more.
    func close() async
  }

  /// Lets a closure answer requests, in place of the network.
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
        // The response is read like one from a network.
        var reader = try AnswerReader(
          HTTPResponseStatus(statusCode: response.status),
          HTTPHeaders(response.headers), at: address, since: start, configuration, part: part)
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

/// Work of the application within a request. It may ignore cancellation.
enum ForeignWork {
  /// The result of a closure, which runs in a task of its own. `nil`, at once, when this task is cancelled
  /// first: the closure is then cancelled, and its result is lost.
  static func result<Value: Sendable>(
    of work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error>? {
    let (stream, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
    let task = Task {
      do {
        continuation.yield(.success(try await work()))
      } catch {
        continuation.yield(.failure(error))
      }
      continuation.finish()
    }
    defer { task.cancel() }
    for await result in stream { return result }
    return nil
  }
}
