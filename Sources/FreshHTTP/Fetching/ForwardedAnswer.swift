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
    /// When its head came in, and how long that took, by the clock of the store: what its age is calculated with.
    package let arrival: ClockReading
    package let delay: Duration
    /// How long that took by a clock that is neither set nor counts in milliseconds: what operators are told.
    package let time: Duration
    /// True when the end of the content, once it comes without an error, shows that nothing is missing: it has a
    /// length or chunks, or ends with its connection, as that should end (RFC 9112 section 8). A reset is an error,
    /// and so is an end that TLS does not confirm.
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
      // Whatever its fields say (RFC 9112 section 6.3).
      let isEmpty = request.method == "HEAD" || [204, 304].contains(status)
      showsItsEnd = isEmpty || version >= 20 || Self.showsItsEnd(fields)
      content = Content(
        body: response.body, isEmpty: isEmpty, address: request.address, use: use,
        pace: pace, transport: transport)
    }

    /// RFC 9112 section 6.3: where chunking is the last transfer coding there is a last chunk; with any other
    /// coding the end of the connection shows nothing.
    static func showsItsEnd(_ fields: HeaderFields) -> Bool {
      guard let codings = fields.combined("Transfer-Encoding") else { return true }
      return FieldSyntax.listMembers(codings).last.map {
        FieldSyntax.equalIgnoringCase($0, "chunked")
      } ?? false
    }

    /// What follows the head; while it is not read the origin is held back.
    package struct Content: Sendable {
      let body: HTTPClientResponse.Body
      /// True where there is none; its end was read already.
      let isEmpty: Bool
      let address: HTTPAddress
      let use: HTTPForwarder.ClientUse
      /// How the content of the request goes on, which may still be on its way.
      let pace: UploadPace
      let transport: HTTPTransport

      /// The fields behind the content, once its end was read; over HTTP/2 there are none.
      package var trailers: HeaderFields { use.request.trailers }

      /// Hands out its parts in order, until one is not wanted; to be called once. Throws when it breaks off: `cancelled`
      /// where the content of the request has, which is no fault of the origin.
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

      /// Reads the end of content that is empty.
      func drain() async throws {
        for try await _ in body { return }
      }
    }
  }
#endif
