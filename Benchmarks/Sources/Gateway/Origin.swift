internal import BenchmarkKit
internal import Foundation
internal import NIOCore
internal import NIOPosix

/// An origin on one thread of its own, in a process of its own.
enum Origin {
  /// Listens, and serves until the process is ended.
  static func run(on port: Int) async throws {
    let answers = OriginAnswers()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let listener = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(OriginHandler(answers))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    try await listener.closeFuture.get()
    try await group.shutdownGracefully()
  }

  /// How often the origin on a port was asked for content.
  static func requests(of port: UInt16) throws -> Int {
    let answer = try Request.get("/count", on: port)
    guard let count = Int(String(decoding: answer.content, as: UTF8.self)) else {
      throw BenchmarkFailure(words: "the origin does not know how often it was asked")
    }
    return count
  }
}
