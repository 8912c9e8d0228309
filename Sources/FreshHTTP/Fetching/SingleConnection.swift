#if HTTP
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix
  internal import NIOSSL
  internal import Synchronization

  /// A connection for one request, which ends with its answer: for what the client library does not send,
  /// or not as it should.
  struct SingleConnection {
    /// The other end.
    enum Peer {
      case host(String, port: Int)
      /// A Unix socket, by its path.
      case socket(String)
    }

    /// TLS over the connection.
    struct Security {
      let context: NIOSSLContext
      /// The name that the certificate must have; `nil` where none is asked for.
      let serverName: String?
    }

    let peer: Peer
    /// `nil` for a plain connection.
    let security: Security?
    let group: any EventLoopGroup
    /// Where the connection finds the head that it writes.
    let requests: CheckedRequests
    let connectTimeout: Duration

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// The connection ended before the answer did.
    struct Truncated: Error, CustomStringConvertible {
      var description: String { "the connection was closed before the answer was complete" }
    }

    /// Sends a request and reads the answer; `begin` receives its head.
    func exchange(
      _ request: HTTPRequestHead, _ body: [UInt8]?,
      _ begin: @Sendable (HTTPResponseHead) throws -> AnswerReader
    ) async throws -> HTTPAnswer {
      let isSecure = security != nil
      return try await connect().executeThenClose { inbound, outbound in
        // An answer may come, and the connection end, before all of the request is sent.
        async let sent: Void = Self.send(request, body, to: outbound)
        var parts = inbound.makeAsyncIterator()
        var first: HTTPClientResponsePart?
        do {
          repeat {
            first = try await parts.next()
          } while Self.isInterim(first)
        } catch {
          // The error that stopped the sending says more, unless a handshake failed.
          if !isSecure { try await sent }
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
            case .body(let bytes): if try !reader.take(bytes) { return try reader.answer() }
            case .end: return try reader.answer()
            case nil: throw Truncated()
            }
          }
        } catch let error as HTTPFetchError {
          throw error
        } catch {
          return try reader.answer(after: error)
        }
      }
    }

    /// True for an informational answer, which is not the one that is waited for.
    private static func isInterim(_ part: HTTPClientResponsePart?) -> Bool {
      if case .head(let head) = part { head.status.code < 200 } else { false }
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
      let prepare: @Sendable (any Channel) -> EventLoopFuture<Connection> = {
        [security, requests] channel in
        opening.begin(channel)
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let security {
            try pipeline.addHandler(
              NIOSSLClientHandler(context: security.context, serverHostname: security.serverName))
          }
          try pipeline.addHandler(OriginWire(requests))
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
      return try await withTaskCancellationHandler {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.init(connectTimeout))
        switch peer {
        case .host(let host, let port):
          return try await bootstrap.connect(host: host, port: port, channelInitializer: prepare)
        case .socket(let path):
          return try await bootstrap.connect(
            unixDomainSocketPath: path, channelInitializer: prepare)
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
