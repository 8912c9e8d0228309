#if HTTP
  internal import NIOCore
  internal import NIOPosix
  internal import NIOSSL

  /// An HTTP/1.1 origin, by default on the loopback interface, for tests and demonstrations: real
  /// sockets, answers from a closure, and as much misbehaviour as a ``Response`` describes.
  ///
  /// A `CONNECT` is a request like any other. Answered with 200 it makes the server a proxy that leads
  /// to itself: the client's data in the tunnel is read as its next requests.
  public final class OriginServer: Sendable {
    /// Answers a request; runs in a task that is cancelled when the client goes away.
    public typealias Handler = @Sendable (Request) async -> Response

    /// The address it listens on; the path of a Unix socket.
    public let host: String
    /// The port it listens on; 0 for a Unix socket.
    public let port: Int
    private let base: String
    private let listener: any Channel
    private let record: OriginRecord

    private init(
      listener: any Channel, host: String, port: Int, base: String, record: OriginRecord
    ) {
      self.listener = listener
      self.host = host
      self.port = port
      self.base = base
      self.record = record
    }

    /// Listens on an address of this machine; port 0 takes any free one. Throws when the port is
    /// not available.
    ///
    /// - Parameter tls: Makes it a server of https.
    public static func start(
      host: String = "127.0.0.1", port: Int = 0, tls: TLS? = nil, _ handler: @escaping Handler
    ) async throws(OriginStartError) -> OriginServer {
      let record = OriginRecord()
      do {
        let listener = try await bootstrap(record, tls, handler).bind(host: host, port: port).get()
        guard let port = listener.localAddress?.port else {
          throw OriginStartError(description: "the listening socket has no port")
        }
        return OriginServer(
          listener: listener, host: host, port: port,
          base: "\(tls == nil ? "http" : "https")://\(host):\(port)", record: record)
      } catch let error as OriginStartError {
        throw error
      } catch {
        throw OriginStartError(description: "cannot listen on \(host):\(port): \(error)")
      }
    }

    /// Listens on a Unix socket, which is made; addresses of it are those of `localhost`. Throws when
    /// the path is taken or longer than 103 bytes.
    public static func start(
      socket path: String, tls: TLS? = nil, _ handler: @escaping Handler
    ) async throws(OriginStartError) -> OriginServer {
      let record = OriginRecord()
      do {
        let listener = try await bootstrap(record, tls, handler)
          .bind(unixDomainSocketPath: path).get()
        return OriginServer(
          listener: listener, host: path, port: 0,
          base: "\(tls == nil ? "http" : "https")://localhost", record: record)
      } catch {
        throw OriginStartError(description: "cannot listen on \(path): \(error)")
      }
    }

    private static func bootstrap(
      _ record: OriginRecord, _ tls: TLS?, _ handler: @escaping Handler
    ) throws -> ServerBootstrap {
      let context = try tls?.context()
      return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            if let context {
              try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }
            let connection = OriginConnection(channel, record, handler)
            try channel.pipeline.syncOperations.addHandler(connection)
          }
        }
    }

    /// Every request so far, in the order they came.
    public var requests: [Request] { record.requests }

    /// The address of a path, which begins with a slash.
    public func url(_ path: String) -> String { base + path }

    /// Refuses new connections and closes the open ones; may be called more than once.
    public func stop() async {
      // It fails only for a listener that is already closed, which is the desired state.
      try? await listener.close().get()
      await record.closeAll()
    }
  }
#endif
