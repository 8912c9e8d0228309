internal import NIOCore
internal import NIOPosix

/// A server of SwiftNIO on one thread, in a process of its own.
enum OneThreadServer {
  /// Listens, and serves until the process is ended.
  ///
  /// - Parameter prepare: Adds what a connection is served by.
  static func run(
    on port: Int, _ group: MultiThreadedEventLoopGroup,
    _ prepare: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
  ) async throws {
    let listener = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try prepare(channel.pipeline.syncOperations) }
      }
      .bind(host: "127.0.0.1", port: port).get()
    try await listener.closeFuture.get()
  }
}
