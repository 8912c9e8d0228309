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
      // Whatever its fields say (RFC 9112 section 6.3).
      let isEmpty = request.method == "HEAD" || [204, 304].contains(status)
      showsItsEnd =
        isEmpty || version >= 20 || request.address.scheme == .https
        || fields.first("Content-Length") != nil || fields.first("Transfer-Encoding") != nil
      content = Content(
        body: response.body, isEmpty: isEmpty, address: request.address, use: use,
        transport: transport)
    }

    /// What follows the head; while it is not read the origin is held back.
    package struct Content: Sendable {
      let body: HTTPClientResponse.Body
      /// True where there is none; its end was read already.
      let isEmpty: Bool
      let address: HTTPAddress
      let use: HTTPForwarder.ClientUse
      let transport: HTTPTransport

      /// Hands out its parts in order, until one is not wanted; to be called once. Throws when it breaks off.
      package func read(
        _ take: (ByteBuffer) async -> Bool
      ) async throws(HTTPFetchError) {
        guard !isEmpty else { return }
        do {
          for try await part in body {
            guard await take(part) else { return }
          }
        } catch {
          let route = transport.configuration.proxies.route(to: address)
          throw transport.failure(ofForwarding: error, to: address, over: route)
        }
      }

      /// Reads the end of content that is empty.
      func drain() async throws {
        for try await _ in body { return }
      }
    }
  }
#endif
