#if HTTP
  internal import AsyncHTTPClient
  package import FreshStore
  package import NIOCore
  internal import NIOHTTP1

  /// The final response to a forwarded request. Its content may still be in flight.
  package struct ForwardedAnswer: Sendable {
    package let status: Int
    /// The fields, as they came.
    package let fields: HeaderFields
    /// The HTTP version, as ten times the major number plus the minor one: 11 for HTTP/1.1.
    package let version: Int
    /// The arrival of the head, and the delay since the request, by the clock of the store: the age is
    /// calculated from them.
    package let arrival: ClockReading
    package let delay: Duration
    /// The same delay for operators, by a clock that nobody sets and that is finer than milliseconds.
    package let time: Duration
    /// True when an end of the content without an error shows that nothing is missing. The content then has a
    /// length or chunks, or ends with its connection as RFC 9112 section 8 demands. A reset is an error, and
    /// so is an end that TLS does not confirm.
    package let showsItsEnd: Bool
    package let content: Content

    init(
      _ response: HTTPClientResponse, to request: ForwardedRequest, from start: ClockReading,
      _ began: ContinuousClock.Instant, _ configuration: HTTPConfiguration,
      _ use: HTTPForwarder.ClientUse, _ pace: UploadPace, _ transport: HTTPTransport
    ) {
      time = ContinuousClock.now - began
      status = Int(response.status.code)
      fields = HeaderFields(response.headers)
      version = response.version.major * 10 + response.version.minor
      arrival = configuration.clock.reading()
      delay = .milliseconds(arrival.sinceBoot - start.sinceBoot)
      // Such a response has no content, whatever its fields say (RFC 9112 section 6.3).
      let isEmpty = request.method == "HEAD" || [204, 304].contains(status)
      showsItsEnd = isEmpty || version >= 20 || Self.showsItsEnd(fields)
      content = Content(
        body: response.body, isEmpty: isEmpty, address: request.address, use: use,
        pace: pace, transport: transport)
    }

    /// True when the fields show the end of the content (RFC 9112 section 6.3). If chunking is the last
    /// transfer coding, there is a last chunk. With any other coding the end of the connection shows nothing.
    static func showsItsEnd(_ fields: HeaderFields) -> Bool {
      guard let codings = fields.combined("Transfer-Encoding") else { return true }
      return FieldSyntax.listMembers(codings).last.map {
        FieldSyntax.equalIgnoringCase($0, "chunked")
      } ?? false
    }

    /// The content after the head. While it is not read, the origin is held back.
    package struct Content: Sendable {
      let body: HTTPClientResponse.Body
      /// True for a response without content, whose end was read already.
      let isEmpty: Bool
      let address: HTTPAddress
      let use: HTTPForwarder.ClientUse
      /// The progress of the request's content, which may still be in flight.
      let pace: UploadPace
      let transport: HTTPTransport

      /// The fields after the content, once its end was read. Over HTTP/2 there are none.
      package var trailers: HeaderFields { use.request.trailers }

      /// Passes its parts to `take` in order, until `take` returns false. Call it once. Throws when the
      /// content breaks off: `cancelled` if the content of the request did, which is no fault of the origin.
      package func read(
        _ take: (ByteBuffer) async -> Bool
      ) async throws(HTTPFetchError) {
        guard !isEmpty else { return }
        do {
          for try await part in body {
            guard await take(part) else { return }
          }
        } catch {
          guard !pace.isBroken else { throw .cancelled(address.redacted) }
          let route = transport.configuration.proxies.route(to: address)
          throw transport.failure(ofForwarding: error, to: address, over: route)
        }
      }

      /// Reads the end of empty content.
      func drain() async throws {
        for try await _ in body { return }
      }
    }
  }
#endif
