#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOHTTPCompression
  internal import NIOPosix
  internal import Synchronization

  /// An HTTP proxy that receives requests for an http origin in absolute form (RFC 9112 section
  /// 3.2.2): common proxies allow a tunnel for https only. Each request has its own connection.
  struct ForwardingProxy {
    let host: String
    let port: Int
    let credentials: ProxyRoute.Credentials?
    let group: MultiThreadedEventLoopGroup
    let connectTimeout: Duration
    let maximumBodyBytes: Int

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// The connection ended before the answer did.
    struct Truncated: Error, CustomStringConvertible {
      var description: String { "the connection was closed before the answer was complete" }
    }

    /// Sends a request and reads the answer; `begin` receives its head.
    func forward(
      _ method: HTTPMethod, _ headers: HTTPHeaders, _ body: [UInt8]?, to address: HTTPAddress,
      _ begin: @Sendable (HTTPResponseHead) throws -> AnswerReader
    ) async throws -> HTTPAnswer {
      var head = HTTPRequestHead(version: .http1_1, method: method, uri: address.text)
      head.headers = headers
      head.headers.replaceOrAdd(name: "Host", value: address.authority)
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      if let credentials {
        let basic = HTTPClient.Authorization.basic(
          username: credentials.user, password: credentials.password)
        head.headers.replaceOrAdd(name: "Proxy-Authorization", value: basic.headerValue)
      }
      if let body { head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)") }
      let request = head
      return try await connect().executeThenClose { inbound, outbound in
        // An answer may come, and the connection end, before all of the request is sent.
        async let sent: Void = Self.send(request, body, to: outbound)
        var parts = inbound.makeAsyncIterator()
        let first: HTTPClientResponsePart?
        do {
          first = try await parts.next()
        } catch {
          // The error that stopped the sending says more.
          try await sent
          throw error
        }
        guard case .head(let head) = first else {
          try await sent
          throw Truncated()
        }
        var reader = try begin(head)
        do {
          while true {
            switch try await parts.next() {
            case .head: continue
            case .body(let bytes): if try !reader.take(bytes) { return reader.answer }
            case .end: return reader.answer
            case nil: throw Truncated()
            }
          }
        } catch {
          return try reader.answer(after: error)
        }
      }
    }

    private static func send(
      _ head: HTTPRequestHead, _ body: [UInt8]?,
      to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
      try await outbound.write(.head(head))
      if let body { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
      try await outbound.write(.end(nil))
    }

    /// Connects; a cancelled task does not wait for it.
    private func connect() async throws -> Connection {
      let opening = Opening()
      return try await withTaskCancellationHandler {
        try await ClientBootstrap(group: group).connectTimeout(.init(connectTimeout))
          .connect(host: host, port: port) { [maximumBodyBytes] channel in
            opening.begin(channel)
            return channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHTTPClientHandlers()
              try channel.pipeline.syncOperations.addHandler(
                NIOHTTPResponseDecompressor(limit: .size(maximumBodyBytes)))
              return try Connection(wrappingChannelSynchronously: channel)
            }
          }
      } onCancel: {
        opening.cancel()
      }
    }

    /// A connection that is being made, and can be abandoned.
    private final class Opening: Sendable {
      private struct State {
        var channels: [any Channel] = []
        var isCancelled = false
      }

      private let state = Mutex(State())

      func begin(_ channel: any Channel) {
        let isCancelled = state.withLock { state in
          state.channels.append(channel)
          return state.isCancelled
        }
        if isCancelled { channel.close(promise: nil) }
      }

      func cancel() {
        let channels = state.withLock { state in
          state.isCancelled = true
          return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
      }
    }
  }
#endif
