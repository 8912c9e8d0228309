#if HTTP
  internal import AsyncHTTPClient
  package import FreshStore
  package import NIOCore
  internal import NIOHTTP1

  /// The final answer to a request that was sent on, with its content still to come.
  package struct ForwardedAnswer: Sendable {
    package let status: Int
    /// As they came in.
    package let fields: HeaderFields
    /// Major and minor version times ten: 11 for HTTP/1.1.
    package let version: Int
    /// When its head came in, and how long that took.
    package let arrival: ClockReading
    package let delay: Duration
    /// True when the end of the content, once it comes, shows that nothing is missing: it has a length or
    /// chunks, or TLS says that the connection ended as it should (RFC 9112 section 8).
    package let showsItsEnd: Bool
    package let content: Content

    init(
      _ response: HTTPClientResponse, to request: ForwardedRequest, from start: ClockReading,
      _ configuration: HTTPConfiguration, _ use: HTTPForwarder.ClientUse,
      _ transport: HTTPTransport
    ) {
      status = Int(response.status.code)
      fields = HeaderFields(
        response.headers.map { HeaderFields.Line(name: $0.name, value: $0.value) })
      version = response.version.major * 10 + response.version.minor
      arrival = configuration.clock.reading()
      delay = .milliseconds(arrival.sinceBoot - start.sinceBoot)
      let hasNone = request.method == "HEAD" || [204, 304].contains(status)
      showsItsEnd =
        hasNone || version >= 20 || request.address.scheme == .https
        || fields.first("Content-Length") != nil || fields.first("Transfer-Encoding") != nil
      content = Content(
        body: response.body, address: request.address, use: use, transport: transport)
    }

    /// Its parts; one that is not read holds the origin back. Read it once.
    package struct Content: AsyncSequence, Sendable {
      package typealias Element = ByteBuffer

      let body: HTTPClientResponse.Body
      let address: HTTPAddress
      let use: HTTPForwarder.ClientUse
      let transport: HTTPTransport

      package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: body.makeAsyncIterator(), content: self)
      }

      package struct AsyncIterator: AsyncIteratorProtocol {
        var parts: HTTPClientResponse.Body.AsyncIterator
        let content: Content

        /// The next part; throws an ``HTTPFetchError`` when the content breaks off.
        package mutating func next() async throws -> ByteBuffer? {
          do {
            return try await parts.next()
          } catch {
            let route = content.transport.configuration.proxies.route(to: content.address)
            throw content.transport.failure(
              ofForwarding: error, to: content.address, over: route)
          }
        }
      }
    }
  }
#endif
